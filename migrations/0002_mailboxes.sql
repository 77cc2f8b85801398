-- What a tenant sends and receives as: domains and mailboxes. Both show in every environment of the tenant.

create table domains (
  tenant_id uuid not null references tenants (id),
  id uuid not null unique,
  domain text not null unique check (domain = lower(domain)),
  verified boolean not null,
  verification_token text not null,
  -- An operator answers for it.
  vouched boolean not null default false,
  dkim_selector text,
  -- SubjectPublicKeyInfo, base64.
  dkim_public_key text,
  -- PKCS #8, PEM, sealed by the service's keys.
  dkim_private_key bytea,
  -- How it stood when it was last looked at.
  health text not null check (health in ('pending', 'healthy', 'degraded', 'failing')),
  -- Goes up with every check that begins; only the latest is recorded.
  check_round bigint not null default 0,
  check_due_at timestamptz not null default clock_timestamp(),
  checked_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id),
  constraint domains_dkim_whole check (num_nonnulls(dkim_selector, dkim_public_key, dkim_private_key) in (0, 3))
);
create index domains_by_check on domains (check_due_at);

create table mailboxes (
  tenant_id uuid not null,
  id uuid not null unique,
  domain_id uuid not null,
  -- Lower case: one mailbox however its address is written.
  address text not null unique check (address = lower(address)),
  display_name text not null,
  status text not null check (status in ('active', 'suspended')),
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id),
  foreign key (tenant_id, domain_id) references domains (tenant_id, id)
);
create index mailboxes_by_domain on mailboxes (tenant_id, domain_id);
