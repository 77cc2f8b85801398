-- Notices by mail: what Owners are told of their tenant, links that are mailed to whom they are for, and from which devices
-- users sign in.

-- One of a person: of the same kind and occasion each person has one at most.
create table notices (
  -- What it is about.
  tenant_id uuid not null references tenants (id),
  id uuid not null unique,
  kind text not null check (kind in ('invitation', 'reset', 'new_sign_in', 'endpoint_failing',
    'endpoint_disabled', 'domain_failing', 'plan_80', 'plan_100')),
  -- Tells it from others of its kind.
  occasion text not null,
  -- Who gets it. A person is of the directory, which may lie elsewhere (ADR 36).
  user_id uuid not null,
  -- What its text says, besides what is read when it is written.
  facts jsonb not null,
  -- The token of its link, sealed by the service's keys, until it is mailed or given up.
  sealed_token bytea,
  status text not null default 'waiting' check (status in ('waiting', 'sent', 'dropped')),
  created_at timestamptz not null default clock_timestamp(),
  -- When it is given up.
  expires_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, user_id, kind, occasion),
  check (sealed_token is null or status = 'waiting')
) with (fillfactor = 80);
create index notices_by_age on notices (created_at);
create index notices_waiting on notices (expires_at) where status = 'waiting';

-- What a user has signed in from of late.
create table known_devices (
  tenant_id uuid not null,
  user_id uuid not null,
  -- SHA-256 of the network and the user agent.
  device_hash bytea not null check (octet_length(device_hash) = 32),
  last_seen_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, user_id, device_hash),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
) with (fillfactor = 80);
create index known_devices_by_age on known_devices (last_seen_at);

-- Since when its failures come in a row; null while there are none.
alter table webhook_endpoints add column failing_since timestamptz;
update webhook_endpoints set failing_since = clock_timestamp() where consecutive_failures > 0;
create index webhook_endpoints_failing on webhook_endpoints (failing_since) where failing_since is not null and enabled;

-- Whose plans are looked at: those who sent in a month. What a send changes has no part in it.
create index tenant_usage_by_month on tenant_usage (month);
