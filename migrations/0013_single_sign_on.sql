-- Single sign-on: each tenant's own OpenID provider, and which of its subjects is which person.

create table single_sign_on (
  tenant_id uuid primary key references tenants (id),
  -- As the provider calls itself: what identities are linked by.
  issuer text not null,
  client_id text not null,
  -- Sealed by the service's keys.
  client_secret bytea not null,
  set_at timestamptz not null default clock_timestamp(),
  unique (tenant_id, issuer)
);

-- A provider vouches for its own tenant alone: identities go with the role there, and with the provider.
create table identities (
  tenant_id uuid not null,
  issuer text not null,
  subject text not null,
  person_id uuid not null,
  linked_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, issuer, subject),
  foreign key (tenant_id, issuer) references single_sign_on (tenant_id, issuer) on delete cascade,
  foreign key (tenant_id, person_id) references memberships (tenant_id, person_id) on delete cascade
);
create index identities_by_person on identities (person_id);

-- Of a session that a tenant's provider opened: the only tenant that it reaches.
alter table sessions add column only_tenant_id uuid;
create index sessions_by_only_tenant on sessions (only_tenant_id) where only_tenant_id is not null;
