-- Webhook endpoints, and what is delivered to them.

create table webhook_endpoints (
  tenant_id uuid not null,
  id uuid not null,
  app_id uuid not null,
  -- Whose events it hears: the tenant's id in production, the application's in a sandbox.
  environment_id uuid not null,
  url text not null,
  description text,
  event_types text[] not null check (cardinality(event_types) > 0),
  -- The form of the envelopes it is sent, fixed when it was made.
  api_version text not null,
  -- Sealed; the one before it holds for a while after a rotation.
  secret bytea not null,
  previous_secret bytea,
  previous_secret_until timestamptz,
  enabled boolean not null default true,
  consecutive_failures integer not null default 0 check (consecutive_failures >= 0),
  -- How many were ever counted. An attempt counts as failed when no other failure was counted since it began: what was in
  -- flight together counts once.
  failures_counted bigint not null default 0,
  disabled_at timestamptz,
  disabled_reason text,
  created_at timestamptz not null default clock_timestamp(),
  -- Set when it is deleted: it shows nowhere, and its deliveries are swept away.
  deleted_at timestamptz,
  primary key (tenant_id, id),
  unique (id),
  foreign key (tenant_id, app_id) references apps (tenant_id, id),
  check (enabled = (disabled_at is null)),
  check (enabled = (disabled_reason is null)),
  check ((previous_secret is null) = (previous_secret_until is null))
) with (fillfactor = 50);
create index webhook_endpoints_by_environment on webhook_endpoints (tenant_id, environment_id) where deleted_at is null;

-- An update keeps to its page (HOT) when it changes no column that an index names: what is pending for an endpoint is found
-- by its jobs, and what is dead by its time, which other attempts leave null.
create table webhook_deliveries (
  tenant_id uuid not null,
  -- UUIDv7 of created_at, to a quarter of a microsecond: in their order the newest is the last.
  id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  event_type text not null,
  -- Where the event stands in the log.
  environment_id uuid not null,
  epoch integer not null,
  xid xid8 not null,
  seq bigint not null,
  status text not null check (status in ('pending', 'delivered', 'dead')),
  -- Goes up with every replay. What an earlier cycle comes to changes nothing any more.
  cycle integer not null default 1 check (cycle > 0),
  -- HTTP attempts and receptions of this cycle.
  attempts integer not null default 0 check (attempts >= 0),
  receptions integer not null default 0 check (receptions >= 0),
  next_attempt_at timestamptz,
  last_attempt_at timestamptz,
  last_status_code smallint,
  last_error text,
  last_duration_ms integer,
  delivered_at timestamptz,
  dead_at timestamptz,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  check ((status = 'pending') = (next_attempt_at is not null)),
  check ((status = 'delivered') = (delivered_at is not null)),
  check ((status = 'dead') = (dead_at is not null))
) with (fillfactor = 70);
create index webhook_deliveries_by_endpoint on webhook_deliveries (tenant_id, endpoint_id, id);
create index webhook_deliveries_dead on webhook_deliveries (tenant_id, endpoint_id, id) where dead_at is not null;
