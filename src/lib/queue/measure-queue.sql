-- How many jobs of a queue wait, due or not, counted to 100,000; since when the oldest was made that is not done, in a
-- worker's hands or whatever it waits for; and since when the oldest of those that are due has been, held ones apart: they
-- wait for their lane's time and not for a worker. Costs the same however many there are: it goes from lane to lane, and
-- looks at the head of each. (The settings: claim-jobs.sql.)
create or replace function measure_queue(
  of_queue text, out depth bigint, out oldest_seconds double precision, out overdue_seconds double precision
) language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan set jit = off
as $$
declare
  moment timestamptz := clock_timestamp();
  ready_since timestamptz;
  scheduled_since timestamptz;
  held_since timestamptz;
  in_flight_since timestamptz;
  put_off_since timestamptz;
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
  select min(h.due_at) into ready_since from heads h;

  with recursive heads (tenant_id, lane, due_at) as (
    (
      select j.tenant_id, j.lane, j.due_at from jobs j where j.queue = of_queue and j.state = 'held'
      order by j.tenant_id, j.lane, j.due_at, j.id limit 1
    )
    union all
    select next.tenant_id, next.lane, next.due_at
    from heads
    cross join lateral (
      select j.tenant_id, j.lane, j.due_at from jobs j
      where j.queue = of_queue and j.state = 'held' and (j.tenant_id, j.lane) > (heads.tenant_id, heads.lane)
      order by j.tenant_id, j.lane, j.due_at, j.id limit 1
    ) next
  )
  select min(h.due_at) into held_since from heads h;

  select j.due_at into scheduled_since from jobs j
  where j.queue = of_queue and j.state = 'scheduled' order by j.due_at limit 1;

  -- As many as workers have room for.
  select min(j.created_at) into in_flight_since from jobs j where j.queue = of_queue and j.state = 'leased';

  -- Whatever was due at once was made when it fell due. The others have an index of their own.
  select j.created_at into put_off_since from jobs j
  where j.queue = of_queue and j.due_at > j.created_at order by j.created_at limit 1;

  -- (least and greatest pass over nulls.)
  oldest_seconds := greatest(0, extract(epoch from
    moment - least(ready_since, held_since, in_flight_since, put_off_since, moment)));
  overdue_seconds := greatest(0, extract(epoch from moment - least(ready_since, scheduled_since, moment)));
end $$;
