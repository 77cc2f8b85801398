-- Begins leases anew. Takes tenant_id, id and claim of each job and how long a lease is; gives the ids of those whose claim
-- still holds. A job that is being settled at this moment is passed over and counts as held: to wait for it could close a
-- circle with a settlement that waits for another. (The settings: claim-jobs.sql.)
create or replace function renew_jobs(claims json, lease interval) returns setof bigint language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan set jit = off
as $$
begin
  return query
  with held as materialized (
    select found.place, found.id
    from json_to_recordset(claims) as c (tenant_id uuid, id bigint, claim uuid)
    cross join lateral (
      select j.ctid as place, j.id from jobs j where j.tenant_id = c.tenant_id and j.id = c.id and j.claim = c.claim
      offset 0
    ) found
  ),
  free as materialized (
    select j.ctid as place from jobs j where j.ctid = any (array(select held.place from held)) for update skip locked
  ),
  renewed as (
    update jobs set leased_until = clock_timestamp() + lease where ctid = any (array(select free.place from free))
  )
  select held.id from held;
end $$;
