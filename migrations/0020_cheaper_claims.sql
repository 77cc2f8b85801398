-- Claims and recorded deliveries at a lower cost: what they do stays the same.

-- Entries of one lane are not merged into one: a merged entry is looked through for as long as any of its jobs is in flight.
drop index jobs_leased;
create index jobs_leased on jobs (queue, tenant_id, lane) with (deduplicate_items = off) where state = 'leased';

-- Hands out jobs as it did before. A tenant's jobs in flight are read once for all of its lanes, and a lane's candidates
-- are looked for from its first job on.
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
        (select c.cap from lane_caps c
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

-- Records webhook attempts that were all accepted, as the function of this name with four arguments does, which stays for
-- processes that run since before: from arrays instead of JSON, and by one statement that removes the jobs and changes
-- their deliveries. The n-th of every array from tenants on is of the n-th result: its job's claim and id, the delivery
-- that it is about, the cycle of the attempt, and what is recorded of it.
--
-- (By place, and once more where some are missing, for the reasons that settle_jobs gives.)
create function record_accepted(
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
        last_duration_ms = r.duration_ms, delivered_at = clock_timestamp()
      from removed r
      where d.tenant_id = r.tenant_id and d.id = r.id and d.cycle = r.cycle and d.next_attempt_at is not null
    )
    select count(*) into settled from removed;
    missing := missing - settled;
    exit when missing = 0 or settled = 0 and again;
    again := true;
  end loop;
  return true;
end $$;
