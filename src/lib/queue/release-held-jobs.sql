-- Lets held jobs go on: of a lane that waits no longer all, a wave in each claim; of one that has waited and may fail
-- again one, when no other is ready or in flight. A part of claim_jobs, under its lock and its planner settings; `moment` is
-- that of the claim. Who changes a lane at this moment is not waited for: the next claim looks again.
create or replace function release_held_jobs(of_queue text, moment timestamptz) returns void language plpgsql as $$
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
