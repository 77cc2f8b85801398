-- Hands out up to max_jobs of a queue's due jobs: one from each lane in turn, beginning after the lane after_lane of
-- the tenant after_tenant, and then a second from each, and so on; never more of a lane in flight than its cap, nor
-- of a tenant than tenant_cap (null: no such cap). They come in the order of tenants and lanes, so that the last
-- one's lane is where the next claim goes on. `exhausted` says that a job was received more often than reception_budget.
--
-- None is handed out of a lane that waits. Where the walk meets one, what is ready there is held from then on: so lanes
-- that wait cost nothing, however many there are and whatever is due in them, but for what falls due meanwhile.
--
-- A function, so that the queue's lock lives for one round trip of the server's own making: a worker that stops
-- in the middle of a claim cannot keep the others waiting. Claims of a queue take turns on that lock, and each
-- statement behind it sees what the claim before committed, so that caps hold exactly over all processes.
--
-- The planner settings of this and the queue's other functions: statistics of a queue are out of date by nature, and a
-- plan that was made and kept while it was empty must serve when it holds a million. So for every step there is one index
-- that can answer it, rows once found are reached by their place (ctid), and the settings, which only a function can have
-- for itself, leave no other way. (Without them a settlement of 64 jobs that was first planned on an empty queue reads the
-- whole table, for as long as that plan is kept.) Without sorting, which is switched off where it can be done without, the
-- index of jobs in flight is the only one that gives a tenant's in order of lanes: the planner cannot turn to the table's
-- key, which finds all that it has.
create or replace function claim_jobs(
  from_queue text, max_jobs integer, lane_cap integer, tenant_cap integer, reception_budget integer, lease interval,
  new_claim uuid, after_tenant uuid, after_lane uuid
) returns table (
  tenant_id uuid, id bigint, lane uuid, subject_id uuid, payload jsonb, receptions integer, exhausted boolean
) language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set enable_sort = off set enable_incremental_sort = off set plan_cache_mode = force_generic_plan set jit = off
as $$
#variable_conflict use_column
declare
  -- How many jobs one claim makes ready at most, so that a wave of them does not hold up the claim.
  wave constant integer := 500;
  first constant uuid := '00000000-0000-0000-0000-000000000000';
  last constant uuid := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  moment timestamptz;
begin
  perform pg_advisory_xact_lock(hashtextextended('claim ' || from_queue, 0));
  moment := clock_timestamp();

  update jobs set state = 'ready'
  where ctid = any (array(
    select ctid from jobs
    where queue = from_queue and state = 'scheduled' and due_at <= moment
    order by due_at limit wave for update skip locked
  ));

  update jobs set state = 'ready', claim = null, leased_until = null
  where ctid = any (array(
    select ctid from jobs
    where queue = from_queue and leased_until <= moment
    order by leased_until limit wave for update skip locked
  ));

  perform from held_lanes h where h.queue = from_queue and h.release_at <= moment limit 1;
  if found then perform release_held_jobs(from_queue, moment); end if;

  return query
  with recursive
  -- From lane to lane, each found by one look-up, once around; until enough of them have room. What is left of a
  -- tenant without room is passed over in one step.
  walk (tenant_id, lane, head_due_at, head_id, go_on_after, until_tenant, until_lane, tenant_lanes, tenant_room,
    tenant_left, room, found
  ) as (
    select after_tenant, after_lane, null::timestamptz, null::bigint, after_lane, last, last, null::uuid[], null::integer,
      0, 0, 0
    union all
    select next.tenant_id, next.lane, next.due_at, next.id, case when left_after.tenant > 0 then next.lane else last end,
      next.until_tenant, next.until_lane, in_flight.tenant_lanes, left_before.tenant_room, left_after.tenant, seats.room,
      walk.found + (seats.room > 0)::integer
    from walk
    cross join lateral (
      (
        select j.tenant_id, j.lane, j.due_at, j.id, walk.until_tenant, walk.until_lane from jobs j
        where j.queue = from_queue and j.state = 'ready'
          and (j.tenant_id, j.lane) > (walk.tenant_id, walk.go_on_after)
          and (j.tenant_id, j.lane) <= (walk.until_tenant, walk.until_lane)
        order by j.tenant_id, j.lane, j.due_at, j.id limit 1
      )
      union all
      (
        select j.tenant_id, j.lane, j.due_at, j.id, after_tenant, after_lane from jobs j
        where j.queue = from_queue and j.state = 'ready'
          and (j.tenant_id, j.lane) >= (first, first) and (j.tenant_id, j.lane) <= (after_tenant, after_lane)
          and walk.until_tenant = last
        order by j.tenant_id, j.lane, j.due_at, j.id limit 1
      )
      limit 1
    ) next
    cross join lateral (
      select coalesce(
        (select case when h.lane is null then c.cap else cap_of_held_lane(from_queue, c.tenant_id, c.lane, c.cap, moment) end
         from lane_caps c
         left join held_lanes h
           on h.tenant_id = c.tenant_id and h.queue = c.queue and h.lane = c.lane and h.held_until > '-infinity'
         where c.tenant_id = next.tenant_id and c.queue = from_queue and c.lane = next.lane),
        lane_cap
      ) as lane_cap,
      walk.tenant_room is not null and walk.tenant_id = next.tenant_id as same_tenant
      offset 0
    ) allowed
    -- The lane of each of the tenant's jobs in flight: read once for all of its lanes.
    cross join lateral (
      select case
        when tenant_cap is null then null
        when allowed.same_tenant then walk.tenant_lanes
        else array(
          select j.lane from jobs j where j.queue = from_queue and j.state = 'leased' and j.tenant_id = next.tenant_id
          order by j.lane limit tenant_cap
        )
      end as tenant_lanes
      offset 0
    ) in_flight
    cross join lateral (
      select seen.tenant_room, case when allowed.same_tenant then walk.tenant_left else seen.tenant_room end as tenant
      from (
        select case when tenant_cap is null then max_jobs else tenant_cap - cardinality(in_flight.tenant_lanes) end
          as tenant_room
      ) seen
    ) left_before
    cross join lateral (
      select case when left_before.tenant > 0 then greatest(0, allowed.lane_cap - case
        when tenant_cap is not null then cardinality(array_positions(in_flight.tenant_lanes, next.lane))
        else (
          select count(*)::integer
          from (
            select from jobs j
            where j.queue = from_queue and j.state = 'leased' and j.tenant_id = next.tenant_id and j.lane = next.lane
            limit allowed.lane_cap
          ) in_lane
        )
      end) else 0 end as room
      offset 0
    ) seats
    cross join lateral (
      select left_before.tenant - (seats.room > 0)::integer as tenant
    ) left_after
    where walk.found < max_jobs
  ),
  -- (A tenant whose lanes the walk met both at its beginning and at its end was counted twice.)
  lanes as materialized (
    select met.tenant_id, met.lane, met.head_due_at, met.head_id, met.tenant_room, met.room, met.found
    from (
      select walk.tenant_id, walk.lane, walk.head_due_at, walk.head_id, walk.tenant_room, walk.room, walk.found,
        row_number() over (partition by walk.tenant_id order by walk.found) as tenant_lane
      from walk where walk.room > 0
    ) met
    where met.tenant_lane <= met.tenant_room
  ),
  -- Each of the others takes one at least, so no lane can take more than this.
  share as materialized (
    select max_jobs - count(*)::integer + 1 as most from lanes
  ),
  -- The walk's own numbering of lanes is the order in which they are served. Each begins with the job that the walk has
  -- found there: what was handed out before leaves its entries in the index, and they need not be passed again.
  candidates as materialized (
    select candidate.place, lanes.tenant_id, lanes.found, candidate.turn, lanes.tenant_room
    from lanes
    cross join share
    cross join lateral (
      select j.ctid as place, row_number() over (order by j.due_at, j.id) as turn
      from jobs j
      where j.queue = from_queue and j.state = 'ready' and j.tenant_id = lanes.tenant_id and j.lane = lanes.lane
        and (j.due_at, j.id) >= (lanes.head_due_at, lanes.head_id)
      order by j.due_at, j.id limit least(lanes.room, lanes.tenant_room, share.most)
    ) candidate
  ),
  within_tenants as materialized (
    select c.place, c.found, c.turn, c.tenant_room,
      row_number() over (partition by c.tenant_id order by c.turn, c.found) as tenant_turn
    from candidates c
  ),
  chosen as materialized (
    select w.place from within_tenants w
    where w.tenant_turn <= w.tenant_room
    order by w.turn, w.found limit max_jobs
  ),
  -- What another transaction is about to remove is passed over, not waited for. (To ask for the state again would
  -- offer the planner the whole index of ready jobs.)
  held as materialized (
    select j.ctid as place from jobs j
    where j.ctid = any (array(select chosen.place from chosen))
    for update skip locked
  ),
  claimed as (
    update jobs j
    set state = 'leased', claim = new_claim, leased_until = moment + lease, receptions = j.receptions + 1
    where j.ctid = any (array(select held.place from held))
    returning j.tenant_id, j.id, j.lane, j.subject_id, j.payload, j.receptions,
      j.receptions > reception_budget as exhausted, j.due_at
  )
  select c.tenant_id, c.id, c.lane, c.subject_id, c.payload, c.receptions, c.exhausted
  from claimed c
  order by (c.tenant_id, c.lane) <= (after_tenant, after_lane), c.tenant_id, c.lane, c.due_at, c.id;
end $$;
