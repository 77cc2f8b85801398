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

create table webhook_deliveries (
  tenant_id uuid not null,
  -- UUIDv7 of the moment it was made: in their order the newest is the last.
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
create index webhook_deliveries_pending on webhook_deliveries (tenant_id, endpoint_id) where status = 'pending';

-- A UUIDv7 (RFC 9562 §5.7) of this moment.
create function new_uuid() returns uuid language sql volatile parallel safe as $$
  select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
    52, 1), 53, 1), 'hex')::uuid
$$;

-- Whoever writes an event writes its deliveries with it, one for each endpoint that hears it. (The settings are those
-- of the queue's functions: a plan that was made while there were no endpoints must serve when there are many.)
create function deliver_events() returns trigger language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan set jit = off
as $$
begin
  with made as (
    insert into webhook_deliveries (tenant_id, id, endpoint_id, event_id, event_type, environment_id, epoch, xid, seq,
      status, next_attempt_at, dead_at, last_error, created_at)
    select e.tenant_id, new_uuid(), w.id, e.id, e.type, e.environment_id, e.epoch, e.xid, e.seq,
      case when w.enabled then 'pending' else 'dead' end, case when w.enabled then e.occurred_at end,
      case when not w.enabled then e.occurred_at end, case when not w.enabled then 'endpoint_disabled' end,
      e.occurred_at
    from new_events e
    cross join lateral (
      select w.id, w.enabled from webhook_endpoints w
      where w.tenant_id = e.tenant_id and w.environment_id = e.environment_id and w.deleted_at is null
        and w.event_types && array[e.type, '*']
      offset 0
    ) w
    returning tenant_id, id, endpoint_id, status
  )
  insert into jobs (tenant_id, queue, lane, subject_id)
  select m.tenant_id, 'webhooks', m.endpoint_id, m.id from made m where m.status = 'pending';
  return null;
end $$;

create trigger events_are_delivered after insert on events
  referencing new table as new_events for each statement execute function deliver_events();

-- The least UUIDv7 of a moment.
create function uuid_at(moment timestamptz) returns uuid language sql immutable parallel safe as $$
  select encode(substring(int8send((extract(epoch from moment) * 1000)::bigint) from 3) || '\x70008000000000000000',
    'hex')::uuid
$$;

-- The version of the key that made an envelope, which stands in octets 2 to 5.
create function sealed_with(envelope bytea) returns bigint language sql immutable parallel safe as $$
  select (get_byte(envelope, 1)::bigint << 24) + (get_byte(envelope, 2) << 16) + (get_byte(envelope, 3) << 8)
    + get_byte(envelope, 4)
$$;
