-- Runs after events are written (triggers.sql): whoever writes an event writes its deliveries with it, one for each endpoint
-- that hears it, and their jobs. Mostly nobody listens, and that is asked first. (The settings are those of the queue's
-- functions, lib/queue/claim-jobs.sql: a plan that was made while there were no endpoints must serve when there are many.)
create or replace function deliver_events() returns trigger language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan set jit = off
as $$
begin
  perform from (select distinct e.tenant_id, e.environment_id from new_events e) written
  cross join lateral (
    select from webhook_endpoints w
    where w.tenant_id = written.tenant_id and w.environment_id = written.environment_id and w.deleted_at is null limit 1
  ) listening;
  if not found then return null; end if;

  with made as (
    insert into webhook_deliveries (tenant_id, id, endpoint_id, event_id, event_type, environment_id, epoch, xid, seq,
      status, next_attempt_at, dead_at, last_error, created_at)
    select e.tenant_id, new_uuid(e.occurred_at), w.id, e.id, e.type, e.environment_id, e.epoch, e.xid, e.seq,
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
