-- Failed attempts of webhook deliveries, and replays of all that died since an instant.

-- What a delivery itself says of its last success has no row here until a replay takes it away from there. They go with their
-- delivery by a trigger (remove-attempts.sql): a foreign key would be asked about at each change of a delivery.
create table webhook_attempts (
  tenant_id uuid not null,
  delivery_id uuid not null,
  cycle integer not null check (cycle > 0),
  number integer not null check (number > 0),
  at timestamptz not null,
  status_code smallint,
  -- Null: it was accepted.
  error text,
  duration_ms integer not null,
  -- The beginning of what the receiver answered, where that was text.
  answer text check (length(answer) <= 1000),
  primary key (tenant_id, delivery_id, cycle, number)
);

-- What died since an instant. dead_at stays null until a delivery is dead, so that other attempts keep to their page.
create index webhook_deliveries_by_death on webhook_deliveries (tenant_id, endpoint_id, dead_at, id)
  where dead_at is not null;

create table webhook_replays (
  tenant_id uuid not null,
  id uuid not null,
  environment_id uuid not null,
  app_id uuid not null,
  -- Null: of all endpoints that the application had, and that were enabled.
  endpoint_id uuid,
  -- What died in between is replayed, both included.
  since timestamptz not null,
  until timestamptz not null,
  status text not null default 'running' check (status in ('running', 'done', 'stopped')),
  stopped_because text check (stopped_because in ('asked', 'endpoint_disabled', 'endpoint_deleted', 'fault')),
  replayed bigint not null default 0 check (replayed >= 0),
  -- The kind of actor. Who it was stands in the audit log.
  asked_by text not null check (asked_by in ('application', 'person', 'operator')),
  -- A delivery whose death is recorded by a transaction older than this one may not be seen yet.
  asked_in xid8 not null default pg_current_xact_id(),
  created_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, app_id) references apps (tenant_id, id),
  check ((status = 'running') = (ended_at is null)),
  check ((status = 'stopped') = (stopped_because is not null))
);
-- One at a time of an endpoint, and one of an application.
create unique index webhook_replays_running on webhook_replays (tenant_id, coalesce(endpoint_id, app_id))
  where status = 'running';
create index webhook_replays_by_app on webhook_replays (tenant_id, app_id, id);
create index webhook_replays_ended on webhook_replays (ended_at) where ended_at is not null;

-- The endpoints that a running replay has not done with, and how far it has come with each.
create table webhook_replay_places (
  tenant_id uuid not null,
  replay_id uuid not null,
  endpoint_id uuid not null,
  -- The last that was looked at, in the order of their deaths; before the first, since and the least of all ids.
  dead_at timestamptz not null,
  delivery_id uuid not null default '00000000-0000-0000-0000-000000000000',
  primary key (tenant_id, replay_id, endpoint_id),
  foreign key (tenant_id, replay_id) references webhook_replays (tenant_id, id) on delete cascade
);

-- Since when an endpoint had failed, or was disabled, as it was enabled last: what died since then is what somebody replays.
alter table webhook_endpoints add column last_failing_since timestamptz;
