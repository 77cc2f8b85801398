-- Settles the jobs of webhook deliveries, as settle_jobs takes them, and records for those whose claim still held what
-- the attempts came to. Of each result: job_id, tenant_id, id, cycle, status, attempts, receptions; due_in_ms of a
-- pending one, error of one that failed, duration_ms where a request was made, and status_code where it was answered;
-- answer, the beginning of what a receiver said that did not accept it, and attempt_error where that is not error.
-- Gives those deliveries that were still pending in the cycle to which the attempt belongs – and, of an accepted attempt,
-- those that became dead while it was under way because their endpoint was disabled.
--
-- An attempt that failed, and changed its delivery, leaves a row. Of two with one number the first stands.
--
-- One look-up a delivery: a row that another transaction changes meanwhile is waited for and judged anew, as READ
-- COMMITTED does. (The settings are those of the queue's functions, lib/queue/claim-jobs.sql.)
create or replace function record_attempts(settlements json, results json) returns setof uuid language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan set jit = off
as $$
declare
  settled constant bigint[] := array(select settle_jobs(settlements));
begin
  -- next_attempt_at says that it is pending (a check ties them) and leads to no other index than the key. And now() lies
  -- before the moment at which the queue has set the job due: the delivery never falls due after its job.
  return query
  with changed as (
    update webhook_deliveries d
    set status = n.status, attempts = n.attempts, receptions = n.receptions, last_error = n.error,
      next_attempt_at = case when n.status = 'pending' then now() + n.due_in_ms * interval '1 millisecond' end,
      last_attempt_at = case when n.duration_ms is not null then clock_timestamp() else d.last_attempt_at end,
      last_status_code = case when n.duration_ms is not null then n.status_code else d.last_status_code end,
      last_duration_ms = coalesce(n.duration_ms, d.last_duration_ms),
      delivered_at = case when n.status = 'delivered' then clock_timestamp() end,
      dead_at = case when n.status = 'dead' then clock_timestamp() end
    from json_to_recordset(results) as n (job_id bigint, tenant_id uuid, id uuid, cycle integer, status text,
      attempts integer, receptions integer, due_in_ms double precision, status_code smallint, duration_ms integer,
      error text, attempt_error text, answer text)
    where n.job_id = any (settled)
      and d.tenant_id = n.tenant_id and d.id = n.id and d.cycle = n.cycle
      and (d.next_attempt_at is not null or n.status = 'delivered' and d.last_error = 'endpoint_disabled')
    returning d.tenant_id, d.id, d.cycle, d.attempts, d.status, d.last_attempt_at, n.status_code, n.duration_ms,
      coalesce(n.attempt_error, n.error) as error, n.answer
  ),
  kept as (
    insert into webhook_attempts (tenant_id, delivery_id, cycle, number, at, status_code, error, duration_ms, answer)
    select c.tenant_id, c.id, c.cycle, c.attempts, c.last_attempt_at, c.status_code, c.error, c.duration_ms, c.answer
    from changed c where c.duration_ms is not null and c.status <> 'delivered'
    on conflict (tenant_id, delivery_id, cycle, number) do nothing
  )
  select c.id from changed c;
end $$;
