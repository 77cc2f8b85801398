-- What a tenant sends and receives as: domains and mailboxes. Both show in every environment of the tenant.

create table domains (
  tenant_id uuid not null references tenants (id),
  id uuid not null unique,
  domain text not null unique check (domain = lower(domain)),
  verified boolean not null,
  verification_token text not null,
  health text not null check (health in ('pending', 'healthy', 'degraded', 'failing')),
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id)
);

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
