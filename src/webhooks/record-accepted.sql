-- Records webhook attempts that were all accepted, as record_attempts does, where no counter of their endpoints
-- (endpoint_tenants and endpoints, in pairs) has anything to forget: from arrays instead of JSON, and by one statement that
-- removes the jobs and changes their deliveries. Gives false, and has recorded nothing, where one has. The n-th of every
-- array from tenants on is of the n-th result: its job's claim and id, the delivery that it is about, the cycle of the
-- attempt, and what is recorded of it.
--
-- A failure that is counted meanwhile counts as one after these. Jobs are found by place, and once more where some are
-- missing, for the reasons that settle_jobs gives. (The settings are those of the queue's functions,
-- lib/queue/claim-jobs.sql.)
create or replace function record_accepted(
  endpoint_tenants uuid[], endpoints uuid[],
  tenants uuid[], claims uuid[], job_ids bigint[], deliveries uuid[], cycles integer[], attempts integer[],
  receptions integer[], status_codes smallint[], durations_ms integer[]
) returns boolean language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan set jit = off
as $$
#variable_conflict use_variable
declare
  missing bigint := cardinality(job_ids);
  settled bigint;
  again boolean := false;
begin
  perform from unnest(endpoint_tenants, endpoints) as n (tenant_id, id)
  cross join lateral (
    select from webhook_endpoints w
    where w.tenant_id = n.tenant_id and w.id = n.id and w.consecutive_failures > 0 offset 0
  ) failing;
  if found then return false; end if;
  loop
    with held as materialized (
      select n.tenant_id, n.claim, n.id, n.cycle, n.attempts, n.receptions, n.status_code, n.duration_ms, found.place
      from unnest(tenants, claims, job_ids, deliveries, cycles, attempts, receptions, status_codes, durations_ms)
        as n (tenant_id, claim, job_id, id, cycle, attempts, receptions, status_code, duration_ms)
      cross join lateral (
        select j.ctid as place from jobs j where j.tenant_id = n.tenant_id and j.id = n.job_id and j.claim = n.claim
        offset 0
      ) found
    ),
    removed as (
      delete from jobs j using held
      where j.ctid = held.place and j.claim = held.claim
      returning held.tenant_id, held.id, held.cycle, held.attempts, held.receptions, held.status_code, held.duration_ms
    ),
    changed as (
      update webhook_deliveries d
      set status = 'delivered', attempts = r.attempts, receptions = r.receptions, last_error = null,
        next_attempt_at = null, last_attempt_at = clock_timestamp(), last_status_code = r.status_code,
        last_duration_ms = r.duration_ms, delivered_at = clock_timestamp(), dead_at = null
      from removed r
      where d.tenant_id = r.tenant_id and d.id = r.id and d.cycle = r.cycle
        and (d.next_attempt_at is not null or d.last_error = 'endpoint_disabled')
    )
    select count(*) into settled from removed;
    missing := missing - settled;
    exit when missing = 0 or settled = 0 and again;
    again := true;
  end loop;
  return true;
end $$;
