-- The canonical event log.

-- Whatever puts a cluster back to an earlier state – a dump, a copy of its folder, a recovery to a point in time, a standby
-- that lags behind – ends with a server being started, and transaction ids are given out again. So each start begins an
-- epoch, and what was there before stays in front of what comes now.
create table feed_epoch (
  single boolean primary key default true check (single),
  epoch integer not null,
  server_started_at timestamptz not null default '-infinity'
);
insert into feed_epoch (epoch) values (0);

create table events (
  tenant_id uuid not null,
  environment_id uuid not null,
  epoch integer not null,
  xid xid8 not null default pg_current_xact_id(),
  seq bigint generated always as identity,
  id uuid not null,
  type text not null,
  resource_type text not null,
  resource_id uuid not null,
  -- Kept as the text it was written as: the feed passes it on without reading it, and puts the resource in front.
  data json not null,
  occurred_at timestamptz not null,
  -- Who sent, in message.queued: the audit record of a send, which outlives the message and its idempotency key.
  app_id uuid,
  key_id uuid,
  request_id uuid,
  client_address text,
  user_agent text,
  primary key (tenant_id, environment_id, epoch, xid, seq)
);
create index events_by_id on events (id);
create index events_of_resource on events (resource_id, epoch, xid, seq);
-- Of each type that no send and no received mail brings about.
create index events_of_rare_types on events (tenant_id, environment_id, type, epoch, xid, seq) where type not in (
  'message.received', 'message.queued', 'message.sent', 'message.delivered', 'message.updated');
create index events_of_keys on events (tenant_id, occurred_at desc) where key_id is not null;
