-- Makes jobs due that were put off until something is back (`resumable_at`), because it is. So that it is not met by all
-- that waited, `most` of them are due at once: each lane has an equal share, which what is due in it counts towards, and those
-- go first that were put off first. Beyond `most` lanes one call serves the next ones: it begins after the lane that is handed
-- in, and gives the one to begin after next. (The settings: claim-jobs.sql.)
create or replace function resume_jobs(
  of_queue text, most integer, after_tenant uuid, after_lane uuid,
  out resumed integer, out last_tenant uuid, out last_lane uuid
) language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set enable_sort = off set enable_incremental_sort = off set plan_cache_mode = force_generic_plan set jit = off
as $$
declare
  first constant uuid := '00000000-0000-0000-0000-000000000000';
  moment timestamptz := clock_timestamp();
  share integer;
  due integer;
  tenants uuid[];
  lanes uuid[];
  changed integer;
begin
  resumed := 0;
  with recursive walk (tenant_id, lane, found) as (
    select after_tenant, after_lane, 0
    union all
    select next.tenant_id, next.lane, walk.found + 1
    from walk
    cross join lateral (
      select j.tenant_id, j.lane from jobs j
      where j.queue = of_queue and j.state = 'scheduled' and j.resumable_at is not null
        and (j.tenant_id, j.lane) > (walk.tenant_id, walk.lane)
      order by j.tenant_id, j.lane, j.resumable_at limit 1
    ) next
    where walk.found < most
  )
  select array_agg(w.tenant_id), array_agg(w.lane) into tenants, lanes from walk w where w.found > 0;

  share := greatest(1, most / cardinality(lanes));
  for i in 1 .. coalesce(cardinality(lanes), 0) loop
    select count(*) into due from (
      select from jobs j
      where j.queue = of_queue and j.state = 'ready' and j.tenant_id = tenants[i] and j.lane = lanes[i] limit share
    ) of_lane;
    continue when due = share;
    update jobs set state = 'ready', due_at = moment
    where ctid = any (array(
      select j.ctid from jobs j
      where j.queue = of_queue and j.state = 'scheduled' and j.resumable_at is not null
        and j.tenant_id = tenants[i] and j.lane = lanes[i] and j.resumable_at <= moment
      order by j.resumable_at limit share - due for update skip locked
    ));
    get diagnostics changed = row_count;
    resumed := resumed + changed;
  end loop;
  if cardinality(lanes) = most then
    last_tenant := tenants[most];
    last_lane := lanes[most];
  else
    last_tenant := first;
    last_lane := first;
  end if;
end $$;
