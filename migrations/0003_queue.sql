-- The work queue: what waits to be done, what is being done, and what died. Knows nothing of mail.
--
-- A writer of another feature may enqueue within its own statement:
--   insert into jobs (tenant_id, queue, lane, subject_id) select …
-- The rest has defaults that mean: due now. And it may settle within its own statement, guarded by the claim:
--   delete from jobs j using … where j.tenant_id = … and j.id = … and j.claim = … returning …

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
create index jobs_expiring on jobs (queue, leased_until) where state = 'leased';

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
-- then a second from each, and so on; never more of a lane in flight than its cap.
--
-- A function, so that the queue's lock lives for one round trip of the server's own making: a worker that stops
-- in the middle of a claim cannot keep the others waiting. Claims of a queue take turns on that lock, and each
-- statement behind it sees what the claim before committed, so that caps hold exactly over all processes.
--
-- The planner settings: a queue's statistics are out of date by nature, and here every step is a look-up.
create function claim_jobs(
  from_queue text, max_jobs integer, lane_cap integer, reception_budget integer, lease interval, new_claim uuid,
  after_lane uuid
) returns table (
  tenant_id uuid, id bigint, lane uuid, subject_id uuid, payload jsonb, receptions integer, exhausted boolean,
  age_ms bigint
) language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
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

  update jobs j set state = 'ready'
  from (
    select tenant_id, id from jobs
    where queue = from_queue and state = 'scheduled' and due_at <= moment
    order by due_at limit wave for update skip locked
  ) due
  where j.tenant_id = due.tenant_id and j.id = due.id;

  update jobs j set state = 'ready', claim = null, leased_until = null
  from (
    select tenant_id, id from jobs
    where queue = from_queue and state = 'leased' and leased_until <= moment
    order by leased_until limit wave for update skip locked
  ) expired
  where j.tenant_id = expired.tenant_id and j.id = expired.id;

  return query
  with recursive
  -- From lane to lane, each found by one look-up, once around; until enough of them have room.
  walk (lane, room, position, found, until_lane) as (
    select after_lane, 0, 0, 0, last_lane
    union all
    select next.lane, seats.room, walk.position + 1, walk.found + (seats.room > 0)::integer, next.until_lane
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
    select walk.lane, walk.room, walk.position from walk where walk.room > 0
  ),
  -- Each of the others takes one at least, so no lane can take more than this.
  share as materialized (
    select max_jobs - count(*)::integer + 1 as most from lanes
  ),
  chosen as materialized (
    select candidate.tenant_id, candidate.id, lanes.position, candidate.turn
    from lanes
    cross join share
    cross join lateral (
      select j.tenant_id, j.id, row_number() over (order by j.due_at, j.id) as turn
      from jobs j
      where j.queue = from_queue and j.state = 'ready' and j.lane = lanes.lane
      order by j.due_at, j.id limit least(lanes.room, share.most)
    ) candidate
    order by candidate.turn, lanes.position limit max_jobs
  ),
  held as materialized (
    select chosen.tenant_id, chosen.id, chosen.position, chosen.turn
    from chosen
    join jobs j on j.tenant_id = chosen.tenant_id and j.id = chosen.id
    where j.state = 'ready'
    for update of j skip locked
  ),
  claimed as (
    update jobs j
    set state = 'leased', claim = new_claim, leased_until = moment + lease, receptions = j.receptions + 1
    from held
    where j.tenant_id = held.tenant_id and j.id = held.id
    returning j.tenant_id, j.id, j.lane, j.subject_id, j.payload, j.receptions,
      j.receptions > reception_budget as exhausted,
      (extract(epoch from moment - j.created_at) * 1000)::bigint as age_ms, held.position, held.turn
  )
  -- In the order of lanes, so that the last one's lane is where the next claim goes on.
  select c.tenant_id, c.id, c.lane, c.subject_id, c.payload, c.receptions, c.exhausted, c.age_ms
  from claimed c
  order by c.position, c.turn;
end $$;
