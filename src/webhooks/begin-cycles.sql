-- Begins a new cycle of a tenant's deliveries, with a new budget each and a job that is due now, and gives them: all whose
-- ids are given, or of these those that are dead and died between two instants, both included. An attempt that a delivery
-- was accepted by becomes a row, as the delivery no longer says so. The caller signals the queue.
--
-- They are locked in the order of their ids, in which others meet them too. One that another transaction changes meanwhile
-- is waited for and judged anew. (The settings are those of the queue's functions, lib/queue/claim-jobs.sql.)
create or replace function begin_cycles(
  of_tenant uuid, delivery_ids uuid[], died_since timestamptz, died_until timestamptz,
  out id uuid, out endpoint_id uuid, out event_id uuid, out cycle integer
) returns setof record language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan set jit = off
as $$
#variable_conflict use_column
begin
  return query
  with held as materialized (
    select d.tenant_id, d.id, d.cycle, d.attempts, d.status, d.last_attempt_at, d.last_status_code, d.last_duration_ms
    from webhook_deliveries d
    where d.tenant_id = of_tenant and d.id = any (delivery_ids)
      and (died_since is null or d.dead_at between died_since and died_until)
    order by d.id for no key update
  ),
  kept as (
    insert into webhook_attempts (tenant_id, delivery_id, cycle, number, at, status_code, duration_ms)
    select h.tenant_id, h.id, h.cycle, h.attempts, h.last_attempt_at, h.last_status_code, h.last_duration_ms
    from held h where h.status = 'delivered'
    on conflict (tenant_id, delivery_id, cycle, number) do nothing
  ),
  begun as (
    update webhook_deliveries d
    set status = 'pending', cycle = d.cycle + 1, attempts = 0, receptions = 0, next_attempt_at = now(),
      delivered_at = null, dead_at = null
    from held h
    where d.tenant_id = h.tenant_id and d.id = h.id
    returning d.tenant_id, d.id, d.endpoint_id, d.event_id, d.cycle
  ),
  enqueued as (
    insert into jobs (tenant_id, queue, lane, subject_id, payload)
    select b.tenant_id, 'webhooks', b.endpoint_id, b.id, jsonb_build_object('cycle', b.cycle) from begun b
  )
  select b.id, b.endpoint_id, b.event_id, b.cycle from begun b;
end $$;
