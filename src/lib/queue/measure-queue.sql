-- How many jobs of a queue wait, due or not, counted to 100,000; and since when the oldest of those that are due has been,
-- held ones apart: they wait for their lane's time and not for a worker. Costs the same however many there are: it goes
-- from lane to lane, and looks at the head of each. (The settings: claim-jobs.sql.)
create or replace function measure_queue(of_queue text, out depth bigint, out oldest_seconds double precision) language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan set jit = off
as $$
begin
  select count(*) into depth from (
    (select from jobs j where j.queue = of_queue and j.state = 'ready' limit 100000)
    union all
    (select from jobs j where j.queue = of_queue and j.state = 'scheduled' limit 100000)
    union all
    (select from jobs j where j.queue = of_queue and j.state = 'held' limit 100000)
    limit 100000
  ) waiting;

  with recursive heads (tenant_id, lane, due_at) as (
    (
      select j.tenant_id, j.lane, j.due_at from jobs j where j.queue = of_queue and j.state = 'ready'
      order by j.tenant_id, j.lane, j.due_at, j.id limit 1
    )
    union all
    select next.tenant_id, next.lane, next.due_at
    from heads
    cross join lateral (
      select j.tenant_id, j.lane, j.due_at from jobs j
      where j.queue = of_queue and j.state = 'ready' and (j.tenant_id, j.lane) > (heads.tenant_id, heads.lane)
      order by j.tenant_id, j.lane, j.due_at, j.id limit 1
    ) next
  )
  select greatest(0, extract(epoch from clock_timestamp() - least(
    (select min(h.due_at) from heads h),
    (select j.due_at from jobs j where j.queue = of_queue and j.state = 'scheduled' order by j.due_at limit 1),
    clock_timestamp()
  ))) into oldest_seconds;
end $$;
