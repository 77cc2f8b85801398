-- The work queue: what waits to be done, what is being done, and what died. Knows nothing of mail.
--
-- A writer of another feature may enqueue within its own statement:
--   insert into jobs (tenant_id, queue, lane, subject_id) select …
-- The rest has defaults that mean: due now. And it records a job's result in the transaction in which settle_jobs
-- names that job, and only then.
--
-- The functions: a queue's statistics are out of date by nature, and a plan that was made and kept while it was
-- empty must serve when it holds a million. So for every step there is one index that can answer it, rows once
-- found are reached by their place (ctid), and the planner settings, which only a function can have for itself,
-- leave no other way. (Without them a settlement of 64 jobs that was first planned on an empty queue reads the
-- whole table, for as long as that plan is kept.)

create table jobs (
  tenant_id uuid not null,
  id bigint generated always as identity,
  queue text not null,
  -- Whose turn it takes: work is shared over lanes, and each lane has a cap on what is in flight.
  lane uuid not null,
  -- What it is about: the consumer's own record.
  subject_id uuid not null,
  payload jsonb,
  -- scheduled: waits for its due time. ready: due. leased: in a worker's hands until leased_until.
  -- A job is made ready when it falls due, so that the scan over lanes meets due work only.
  state text not null default 'ready' check (state in ('scheduled', 'ready', 'leased')),
  due_at timestamptz not null default clock_timestamp(),
  -- How often it was handed to a worker and not given back unharmed.
  receptions integer not null default 0 check (receptions >= 0),
  -- The token of the claim that holds it. Whoever records a result names it.
  claim uuid,
  leased_until timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id),
  check ((state = 'leased') = (claim is not null)),
  check ((state = 'leased') = (leased_until is not null))
) with (
  -- Every job leaves three dead rows behind. Vacuum early and at full speed, so that a queue that never rests
  -- stays as small as its backlog. Truncation would take an exclusive lock, and the space is wanted again.
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_threshold = 2000,
  autovacuum_vacuum_insert_scale_factor = 0.1,
  autovacuum_analyze_scale_factor = 0.1,
  autovacuum_analyze_threshold = 2000,
  autovacuum_vacuum_cost_delay = 0,
  vacuum_truncate = off
);
create index jobs_ready on jobs (queue, lane, due_at, id) where state = 'ready';
create index jobs_scheduled on jobs (queue, due_at) where state = 'scheduled';
create index jobs_leased on jobs (queue, lane) where state = 'leased';
-- Says the same as the one above in other words (a check ties them), so that neither can stand in for the other.
create index jobs_expiring on jobs (queue, leased_until) where leased_until is not null;

-- Lanes whose cap differs from their queue's, such as a receiver that is failing. The others have no row.
create table lane_caps (
  tenant_id uuid not null,
  queue text not null,
  lane uuid not null,
  cap integer not null check (cap > 0),
  primary key (tenant_id, queue, lane)
);

create table dead_letters (
  tenant_id uuid not null,
  -- The job's. A replay makes a new job.
  id bigint not null unique,
  queue text not null,
  lane uuid not null,
  subject_id uuid not null,
  payload jsonb,
  reason text not null,
  receptions integer not null,
  dead_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id)
);
create index dead_letters_by_queue on dead_letters (queue, dead_at desc, id desc);
create index dead_letters_by_age on dead_letters (dead_at desc, id desc);

-- Hands out up to max_jobs of a queue's due jobs: one from each lane in turn, beginning after after_lane, and
-- then a second from each, and so on; never more of a lane in flight than its cap. They come in the order of
-- lanes, so that the last one's lane is where the next claim goes on.
--
-- A function, so that the queue's lock lives for one round trip of the server's own making: a worker that stops
-- in the middle of a claim cannot keep the others waiting. Claims of a queue take turns on that lock, and each
-- statement behind it sees what the claim before committed, so that caps hold exactly over all processes.
create function claim_jobs(
  from_queue text, max_jobs integer, lane_cap integer, reception_budget integer, lease interval, new_claim uuid,
  after_lane uuid
) returns table (
  tenant_id uuid, id bigint, lane uuid, subject_id uuid, payload jsonb, receptions integer, exhausted boolean
) language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan set jit = off
as $$
#variable_conflict use_column
declare
  -- How many jobs one claim makes ready at most, so that a wave of them does not hold up the claim.
  wave constant integer := 500;
  first_lane constant uuid := '00000000-0000-0000-0000-000000000000';
  last_lane constant uuid := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
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
  -- From lane to lane, each found by one look-up, once around; until enough of them have room.
  walk (lane, room, found, until_lane) as (
    select after_lane, 0, 0, last_lane
    union all
    select next.lane, seats.room, walk.found + (seats.room > 0)::integer, next.until_lane
    from walk
    cross join lateral (
      (
        select j.tenant_id, j.lane, walk.until_lane from jobs j
        where j.queue = from_queue and j.state = 'ready' and j.lane > walk.lane and j.lane <= walk.until_lane
        order by j.lane, j.due_at, j.id limit 1
      )
      union all
      (
        select j.tenant_id, j.lane, after_lane from jobs j
        where j.queue = from_queue and j.state = 'ready' and j.lane >= first_lane and j.lane <= after_lane
          and walk.until_lane = last_lane
        order by j.lane, j.due_at, j.id limit 1
      )
      limit 1
    ) next
    cross join lateral (
      select coalesce(
        (select c.cap from lane_caps c
         where c.tenant_id = next.tenant_id and c.queue = from_queue and c.lane = next.lane),
        lane_cap
      ) as cap
      offset 0
    ) allowed
    cross join lateral (
      select greatest(0, allowed.cap - count(*)::integer) as room
      from (
        select from jobs j where j.queue = from_queue and j.state = 'leased' and j.lane = next.lane limit allowed.cap
      ) in_flight
    ) seats
    where walk.found < max_jobs
  ),
  lanes as materialized (
    select walk.lane, walk.room from walk where walk.room > 0
  ),
  -- Each of the others takes one at least, so no lane can take more than this.
  share as materialized (
    select max_jobs - count(*)::integer + 1 as most from lanes
  ),
  chosen as materialized (
    select candidate.place
    from lanes
    cross join share
    cross join lateral (
      select j.ctid as place, row_number() over (order by j.due_at, j.id) as turn
      from jobs j
      where j.queue = from_queue and j.state = 'ready' and j.lane = lanes.lane
      order by j.due_at, j.id limit least(lanes.room, share.most)
    ) candidate
    order by candidate.turn, lanes.lane <= after_lane, lanes.lane limit max_jobs
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
  order by c.lane <= after_lane, c.lane, c.due_at, c.id;
end $$;

-- Settles jobs whose claim still holds, and gives the ids of those. Of each: tenant_id, id, claim, kind, and
--   done
--   deadLetter  reason
--   putBack     due_in_ms; keep_receptions: false begins the budget anew; payload: absent leaves it as it is
--   giveBack    due now, as if it had not been handed out
create function settle_jobs(settlements json) returns setof bigint language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan set jit = off
as $$
begin
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
end $$;

-- Begins leases anew. Gives the ids of those whose claim still holds. A job that is being settled at this moment is
-- passed over and counts as held: to wait for it could close a circle with a settlement that waits for another.
create function renew_jobs(claims json, lease interval) returns setof bigint language plpgsql
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

-- How many jobs of a queue wait, due or not, counted to 100,000; and since when the oldest of those that are due
-- has been. Costs the same however many there are: it goes from lane to lane, and looks at the head of each.
create function measure_queue(of_queue text, out depth bigint, out oldest_seconds double precision) language plpgsql
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

  with recursive heads (lane, due_at) as (
    (
      select j.lane, j.due_at from jobs j where j.queue = of_queue and j.state = 'ready'
      order by j.lane, j.due_at, j.id limit 1
    )
    union all
    select next.lane, next.due_at
    from heads
    cross join lateral (
      select j.lane, j.due_at from jobs j where j.queue = of_queue and j.state = 'ready' and j.lane > heads.lane
      order by j.lane, j.due_at, j.id limit 1
    ) next
  )
  select greatest(0, extract(epoch from clock_timestamp() - least(
    (select min(h.due_at) from heads h),
    (select j.due_at from jobs j where j.queue = of_queue and j.state = 'scheduled' order by j.due_at limit 1),
    clock_timestamp()
  ))) into oldest_seconds;
end $$;
