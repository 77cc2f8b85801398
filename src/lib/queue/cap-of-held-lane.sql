-- Gives how many jobs of a lane that has failed may be in flight: none while it waits, and afterwards `cap`. When that is
-- no more than are, what is ready is held from then on, so that claims pass the lane no longer. A part of claim_jobs, under
-- its lock and its planner settings; `moment` is that of the claim. Who changes the lane at this moment is not waited for.
create or replace function cap_of_held_lane(of_queue text, of_tenant uuid, of_lane uuid, cap integer, moment timestamptz)
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
