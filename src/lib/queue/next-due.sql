-- When the next job of a queue falls due that is waiting for its time, or the wait of a lane ends that holds some; null when
-- none waits. (The settings: claim-jobs.sql.)
create or replace function next_due(of_queue text) returns timestamptz language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set enable_sort = off set enable_incremental_sort = off set plan_cache_mode = force_generic_plan set jit = off
as $$
begin
  return least(
    (select j.due_at from jobs j where j.queue = of_queue and j.state = 'scheduled' order by j.due_at limit 1),
    (select h.release_at from held_lanes h where h.queue = of_queue and h.release_at is not null
     order by h.release_at limit 1)
  );
end $$;
