-- What lets many webhooks go out beside each other: a cap on what a tenant has in flight, and results that cost the same
-- to record however much waits. And settlements of jobs that are not lost to a renewal of their leases.

-- The queue's lanes are found by tenant, and each tenant has a cap of its own, so that a tenant of many lanes cannot
-- hold a worker's every place.

drop index jobs_ready, jobs_leased;
create index jobs_ready on jobs (queue, tenant_id, lane, due_at, id) where state = 'ready';
create index jobs_leased on jobs (queue, tenant_id, lane) where state = 'leased';

drop function claim_jobs(text, integer, integer, integer, interval, uuid, uuid);

-- Hands out up to max_jobs of a queue's due jobs: one from each lane in turn, beginning after the lane after_lane of
-- the tenant after_tenant, and then a second from each, and so on; never more of a lane in flight than its cap, nor
-- of a tenant than tenant_cap (null: no such cap). They come in the order of tenants and lanes, so that the last
-- one's lane is where the next claim goes on.
--
-- A function, so that the queue's lock lives for one round trip of the server's own making: a worker that stops
-- in the middle of a claim cannot keep the others waiting. Claims of a queue take turns on that lock, and each
-- statement behind it sees what the claim before committed, so that caps hold exactly over all processes.
--
-- (Without sorting, which is switched off where it can be done without, the index of jobs in flight is the only one
-- that gives a tenant's in order of lanes: the planner cannot turn to the table's key, which finds all that it has.)
create function claim_jobs(
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

  return query
  with recursive
  -- From lane to lane, each found by one look-up, once around; until enough of them have room. What is left of a
  -- tenant without room is passed over in one step.
  walk (tenant_id, lane, go_on_after, until_tenant, until_lane, tenant_room, tenant_left, room, found) as (
    select after_tenant, after_lane, after_lane, last, last, null::integer, 0, 0, 0
    union all
    select next.tenant_id, next.lane, case when left_after.tenant > 0 then next.lane else last end,
      next.until_tenant, next.until_lane, allowed.tenant_room, left_after.tenant, seats.room,
      walk.found + (seats.room > 0)::integer
    from walk
    cross join lateral (
      (
        select j.tenant_id, j.lane, walk.until_tenant, walk.until_lane from jobs j
        where j.queue = from_queue and j.state = 'ready'
          and (j.tenant_id, j.lane) > (walk.tenant_id, walk.go_on_after)
          and (j.tenant_id, j.lane) <= (walk.until_tenant, walk.until_lane)
        order by j.tenant_id, j.lane, j.due_at, j.id limit 1
      )
      union all
      (
        select j.tenant_id, j.lane, after_tenant, after_lane from jobs j
        where j.queue = from_queue and j.state = 'ready'
          and (j.tenant_id, j.lane) >= (first, first) and (j.tenant_id, j.lane) <= (after_tenant, after_lane)
          and walk.until_tenant = last
        order by j.tenant_id, j.lane, j.due_at, j.id limit 1
      )
      limit 1
    ) next
    cross join lateral (
      select coalesce(
        (select c.cap from lane_caps c
         where c.tenant_id = next.tenant_id and c.queue = from_queue and c.lane = next.lane),
        lane_cap
      ) as lane_cap,
      case
        when tenant_cap is null then max_jobs
        when walk.tenant_room is not null and walk.tenant_id = next.tenant_id then walk.tenant_room
        else (
          select greatest(0, tenant_cap - count(*)::integer)
          from (
            select from jobs j where j.queue = from_queue and j.state = 'leased' and j.tenant_id = next.tenant_id
            order by j.lane limit tenant_cap
          ) in_flight
        )
      end as tenant_room,
      walk.tenant_room is not null and walk.tenant_id = next.tenant_id as same_tenant
      offset 0
    ) allowed
    cross join lateral (
      select case when allowed.same_tenant then walk.tenant_left else allowed.tenant_room end as tenant
    ) left_before
    cross join lateral (
      select case when left_before.tenant > 0 then greatest(0, allowed.lane_cap - (
        select count(*)::integer
        from (
          select from jobs j
          where j.queue = from_queue and j.state = 'leased' and j.tenant_id = next.tenant_id and j.lane = next.lane
          limit allowed.lane_cap
        ) in_flight
      )) else 0 end as room
      offset 0
    ) seats
    cross join lateral (
      select left_before.tenant - (seats.room > 0)::integer as tenant
    ) left_after
    where walk.found < max_jobs
  ),
  -- (A tenant whose lanes the walk met both at its beginning and at its end was counted twice.)
  lanes as materialized (
    select met.tenant_id, met.lane, met.tenant_room, met.room
    from (
      select walk.tenant_id, walk.lane, walk.tenant_room, walk.room,
        row_number() over (partition by walk.tenant_id order by walk.found) as tenant_lane
      from walk where walk.room > 0
    ) met
    where met.tenant_lane <= met.tenant_room
  ),
  -- Each of the others takes one at least, so no lane can take more than this.
  share as materialized (
    select max_jobs - count(*)::integer + 1 as most from lanes
  ),
  candidates as materialized (
    select candidate.place, lanes.tenant_id, lanes.lane, candidate.turn, lanes.tenant_room,
      (lanes.tenant_id, lanes.lane) <= (after_tenant, after_lane) as around
    from lanes
    cross join share
    cross join lateral (
      select j.ctid as place, row_number() over (order by j.due_at, j.id) as turn
      from jobs j
      where j.queue = from_queue and j.state = 'ready' and j.tenant_id = lanes.tenant_id and j.lane = lanes.lane
      order by j.due_at, j.id limit least(lanes.room, lanes.tenant_room, share.most)
    ) candidate
  ),
  within_tenants as materialized (
    select c.place, c.tenant_id, c.lane, c.turn, c.tenant_room, c.around,
      row_number() over (partition by c.tenant_id order by c.turn, c.around, c.lane) as tenant_turn
    from candidates c
  ),
  chosen as materialized (
    select w.place from within_tenants w
    where w.tenant_turn <= w.tenant_room
    order by w.turn, w.around, w.tenant_id, w.lane limit max_jobs
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

-- Settles jobs whose claim still holds, and gives the ids of those. Of each: tenant_id, id, claim, kind, and
--   done
--   deadLetter  reason
--   putBack     due_in_ms; keep_receptions: false begins the budget anew; payload: absent leaves it as it is
--   giveBack    due now, as if it had not been handed out
-- (A renewal that commits while this waits for its row gives the job another place, where this statement does not see
-- it. So whoever missed some looks again. What was lost here would be done again when its lease has run out.)
create or replace function settle_jobs(settlements json) returns setof bigint language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan set jit = off
as $$
declare
  missing bigint := json_array_length(settlements);
  settled bigint;
  again boolean := false;
begin
  loop
    return query
    with given as materialized (
      select s.tenant_id, s.id, s.claim, s.kind, s.reason, s.due_in_ms, s.keep_receptions, s.payload
      from json_to_recordset(settlements) as s (tenant_id uuid, id bigint, claim uuid, kind text, reason text,
        due_in_ms bigint, keep_receptions boolean, payload jsonb)
    ),
    held as materialized (
      select found.place, given.kind
      from given cross join lateral (
        select j.ctid as place from jobs j
        where j.tenant_id = given.tenant_id and j.id = given.id and j.claim = given.claim
        offset 0
      ) found
    ),
    removed as (
      delete from jobs j
      where j.ctid = any (array(select held.place from held where held.kind in ('done', 'deadLetter')))
      returning j.tenant_id, j.id, j.queue, j.lane, j.subject_id, j.payload, j.receptions
    ),
    buried as (
      insert into dead_letters (tenant_id, id, queue, lane, subject_id, payload, reason, receptions)
      select r.tenant_id, r.id, r.queue, r.lane, r.subject_id, r.payload, given.reason, r.receptions
      from removed r join given on given.id = r.id where given.kind = 'deadLetter'
    ),
    returned as (
      update jobs j
      set claim = null, leased_until = null, (state, due_at, receptions, payload) = (
        select case when given.due_in_ms > 0 then 'scheduled' else 'ready' end,
          clock_timestamp() + coalesce(given.due_in_ms, 0) * interval '1 millisecond',
          case when given.kind = 'giveBack' then j.receptions - 1 when given.keep_receptions then j.receptions else 0 end,
          coalesce(given.payload, j.payload)
        from given where given.id = j.id limit 1
      )
      where j.ctid = any (array(select held.place from held where held.kind in ('putBack', 'giveBack')))
      returning j.id
    )
    select r.id from removed r union all select r.id from returned r;
    get diagnostics settled = row_count;
    missing := missing - settled;
    exit when missing = 0 or settled = 0 and again;
    again := true;
  end loop;
end $$;

-- How many jobs of a queue wait, due or not, counted to 100,000; and since when the oldest of those that are due
-- has been. Costs the same however many there are: it goes from lane to lane, and looks at the head of each.
create or replace function measure_queue(of_queue text, out depth bigint, out oldest_seconds double precision) language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan set jit = off
as $$
begin
  select count(*) into depth from (
    (select from jobs j where j.queue = of_queue and j.state = 'ready' limit 100000)
    union all
    (select from jobs j where j.queue = of_queue and j.state = 'scheduled' limit 100000)
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

-- Records what attempts came to, and gives the ids of those deliveries that were still pending in the cycle to which the
-- attempt belongs. Of each: tenant_id, id, cycle, status, attempts, receptions, due_in_ms (of a pending one), attempted,
-- status_code, duration_ms, error. (The settings are those of the queue's functions, and for their reason: without them
-- a plan that was made while little waited reads all that is pending, for as long as that plan is kept.)
create function record_deliveries(results json) returns setof uuid language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan set jit = off
as $$
begin
  return query
  with given as materialized (
    select n.* from json_to_recordset(results) as n (tenant_id uuid, id uuid, cycle integer, status text,
      attempts integer, receptions integer, due_in_ms double precision, attempted boolean, status_code smallint,
      duration_ms integer, error text)
  ),
  -- next_attempt_at says that it is pending (a check ties them) and leads to no other index than the key.
  held as materialized (
    select n.* from given n
    join webhook_deliveries d on d.tenant_id = n.tenant_id and d.id = n.id
    where d.cycle = n.cycle and d.next_attempt_at is not null
    order by d.id for no key update of d
  )
  -- now() lies before the moment at which the queue has set the job due: the delivery never falls due after its job.
  update webhook_deliveries d
  set status = n.status, attempts = n.attempts, receptions = n.receptions, last_error = n.error,
    next_attempt_at = case when n.status = 'pending' then now() + n.due_in_ms * interval '1 millisecond' end,
    last_attempt_at = case when n.attempted then clock_timestamp() else d.last_attempt_at end,
    last_status_code = case when n.attempted then n.status_code else d.last_status_code end,
    last_duration_ms = case when n.attempted then n.duration_ms else d.last_duration_ms end,
    delivered_at = case when n.status = 'delivered' then clock_timestamp() end,
    dead_at = case when n.status = 'dead' then clock_timestamp() end
  from held n
  where d.tenant_id = n.tenant_id and d.id = n.id
  returning d.id;
end $$;
