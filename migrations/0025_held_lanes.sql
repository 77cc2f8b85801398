-- Lanes that wait: an endpoint whose attempts fail gets no other for a while (DECISIONS "Webhooks"). And what its jobs that
-- are due do meanwhile: they are held, where no claim meets them.

-- held: due, while its lane waits.
alter table jobs drop constraint jobs_state_check,
  add constraint jobs_state_check check (state in ('scheduled', 'ready', 'leased', 'held'));
create index jobs_held on jobs (queue, tenant_id, lane, due_at, id) where state = 'held';

-- Lanes with a cap of their own that wait, or have waited and not got through since. Without a cap of its own a lane does not
-- wait.
create table held_lanes (
  tenant_id uuid not null,
  queue text not null,
  lane uuid not null,
  -- Nothing of the lane is handed out before. -infinity: its wait was ended, and all that is held goes on.
  held_until timestamptz not null,
  -- When a claim looks whether something that is held goes on; null while nothing is.
  release_at timestamptz,
  primary key (tenant_id, queue, lane)
) with (fillfactor = 50);
create index held_lanes_release on held_lanes (queue, release_at) where release_at is not null;

-- The two functions that follow are parts of claim_jobs, under its lock and its planner settings. Who changes a lane at this
-- moment is not waited for: the next claim looks again.

-- Lets held jobs go on: of a lane that waits no longer all, a wave in each claim; of one that has waited and may fail
-- again one, when no other is ready or in flight.
create function release_held_jobs(of_queue text, moment timestamptz) returns void language plpgsql as $$
declare
  -- How many lanes and jobs are looked at in one claim at most, so that many of them do not hold it up.
  most_lanes constant integer := 64;
  wave constant integer := 500;
  -- How soon a lane is looked at again whose one job is on its way: whatever becomes of that, the next one goes on.
  look_again constant interval := '1 second';
  released integer := 0;
  waiting record;
  most integer;
  changed integer;
begin
  for waiting in
    select h.tenant_id, h.lane, h.held_until = '-infinity' or not exists (
        select from lane_caps c where c.tenant_id = h.tenant_id and c.queue = of_queue and c.lane = h.lane
      ) as is_open
    from held_lanes h
    where h.queue = of_queue and h.release_at <= moment
    order by h.release_at limit most_lanes for update of h skip locked
  loop
    exit when released >= wave;
    most := case
      when waiting.is_open then wave - released
      when exists (
        select from jobs j where j.queue = of_queue and j.state = 'ready' and j.tenant_id = waiting.tenant_id
          and j.lane = waiting.lane
      ) or exists (
        select from jobs j where j.queue = of_queue and j.state = 'leased' and j.tenant_id = waiting.tenant_id
          and j.lane = waiting.lane
      ) then 0
      else 1
    end;
    update jobs set state = 'ready'
    where ctid = any (array(
      select j.ctid from jobs j
      where j.queue = of_queue and j.state = 'held' and j.tenant_id = waiting.tenant_id and j.lane = waiting.lane
      order by j.due_at, j.id limit most
    ));
    get diagnostics changed = row_count;
    released := released + changed;
    perform from jobs j
    where j.queue = of_queue and j.state = 'held' and j.tenant_id = waiting.tenant_id and j.lane = waiting.lane limit 1;
    if found then
      update held_lanes h set release_at = case when waiting.is_open then moment else moment + look_again end
      where h.tenant_id = waiting.tenant_id and h.queue = of_queue and h.lane = waiting.lane;
    elsif waiting.is_open then
      delete from held_lanes h
      where h.tenant_id = waiting.tenant_id and h.queue = of_queue and h.lane = waiting.lane;
    else
      update held_lanes h set release_at = null
      where h.tenant_id = waiting.tenant_id and h.queue = of_queue and h.lane = waiting.lane;
    end if;
  end loop;
end $$;

-- How many jobs of a lane that has failed may be in flight: none while it waits, and afterwards as its cap says. When that is
-- no more, what is ready is held from then on, so that claims pass the lane no longer.
create function cap_of_held_lane(of_queue text, of_tenant uuid, of_lane uuid, cap integer, moment timestamptz)
returns integer language plpgsql as $$
declare
  wave constant integer := 500;
  -- A claim begins to hold no more jobs after this, so that many lanes that fail together do not hold it up.
  holds_within constant interval := '50 milliseconds';
  -- As in release_held_jobs.
  look_again constant interval := '1 second';
  until timestamptz;
begin
  select h.held_until into until from held_lanes h
  where h.tenant_id = of_tenant and h.queue = of_queue and h.lane = of_lane;
  if coalesce(until, '-infinity') <= moment then
    perform from jobs j
    where j.queue = of_queue and j.state = 'leased' and j.tenant_id = of_tenant and j.lane = of_lane limit 1;
    if not found then return cap; end if;
  end if;
  if clock_timestamp() > moment + holds_within then return 0; end if;
  perform from held_lanes h
  where h.tenant_id = of_tenant and h.queue = of_queue and h.lane = of_lane and h.held_until > '-infinity'
  for update skip locked;
  if found then
    update jobs set state = 'held'
    where ctid = any (array(
      select j.ctid from jobs j
      where j.queue = of_queue and j.state = 'ready' and j.tenant_id = of_tenant and j.lane = of_lane
      order by j.due_at, j.id limit wave
    ));
    update held_lanes h set release_at = greatest(h.held_until, moment + look_again)
    where h.tenant_id = of_tenant and h.queue = of_queue and h.lane = of_lane and h.release_at is null;
  end if;
  return 0;
end $$;

-- Hands out jobs as it did before, and none of a lane that waits. Where it meets one, what is ready there is held from then
-- on: so lanes that wait cost nothing, however many there are and whatever is due in them, but for what falls due meanwhile.
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

-- How many jobs of a queue wait, due or not, counted to 100,000; and since when the oldest of those that are due has been,
-- held ones apart: they wait for their lane's time and not for a worker. Costs the same however many there are: it goes
-- from lane to lane, and looks at the head of each.
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

-- Settles and records as before, and an accepted attempt also where its delivery became dead while it was under way, because
-- its endpoint was disabled.
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
    error text)
  where n.job_id = any (settled)
    and d.tenant_id = n.tenant_id and d.id = n.id and d.cycle = n.cycle
    and (d.next_attempt_at is not null or n.status = 'delivered' and d.last_error = 'endpoint_disabled')
  returning d.id;
end $$;

-- Records accepted attempts as before, and also where the delivery became dead meanwhile, because its endpoint was disabled.
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

-- How many failures of an endpoint were ever counted. An attempt counts as failed when no other failure was counted since it
-- began: what was in flight together counts once.
alter table webhook_endpoints add column failures_counted bigint not null default 0;
