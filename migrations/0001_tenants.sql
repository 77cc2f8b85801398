-- Who may call: plans, tenants, applications, API keys.

create table plans (
  name text primary key check (name ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  -- For all of these: 0 is unlimited, or for ever.
  key_per_minute integer not null check (key_per_minute >= 0),
  tenant_per_day integer not null check (tenant_per_day >= 0),
  messages_per_month integer not null check (messages_per_month >= 0),
  stored_mib integer not null check (stored_mib >= 0),
  retention_days integer not null check (retention_days >= 0)
);

insert into plans (name, key_per_minute, tenant_per_day, messages_per_month, stored_mib, retention_days) values
  ('free', 60, 1000, 100, 0, 0),
  ('standard', 100, 50000, 10000, 0, 0),
  ('scale', 600, 1000000, 1000000, 0, 0),
  ('unlimited', 0, 0, 0, 0, 0);

create table tenants (
  id uuid primary key,
  name text not null,
  plan text not null references plans (name),
  status text not null check (status in ('active', 'suspended')),
  created_at timestamptz not null default clock_timestamp()
);

create table apps (
  tenant_id uuid not null references tenants (id),
  id uuid not null unique,
  name text not null,
  environment text not null check (environment in ('production', 'sandbox')),
  status text not null check (status in ('active', 'suspended')),
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id)
);

create table api_keys (
  tenant_id uuid not null,
  id uuid not null unique,
  app_id uuid not null,
  name text,
  -- The 22 characters that stand in the key after its prefix; what a presented key is looked up by.
  public_id text not null unique check (length(public_id) = 22),
  secret_hash text not null,
  -- Four bytes of the SHA-256 of the key's secret. A wrong secret shows by them without an Argon2 hash; of 256 random bits
  -- they leave 224 to whoever reads this table.
  secret_tag bytea not null check (octet_length(secret_tag) = 4),
  scopes text[] not null check (cardinality(scopes) > 0),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz,
  revoked_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, app_id) references apps (tenant_id, id)
);
create index api_keys_by_app on api_keys (tenant_id, app_id);

-- Apart from api_keys, because writing it must not look like a change of credentials.
create table api_key_usage (
  tenant_id uuid not null,
  key_id uuid not null,
  last_used_at timestamptz not null,
  primary key (tenant_id, key_id)
);

-- Goes up with every change of a plan, tenant, application or key. A process that remembers credentials
-- compares it twice a second and forgets what it knew when it has moved.
create table credential_version (
  single boolean primary key default true check (single),
  version bigint not null
);
insert into credential_version (version) values (1);
