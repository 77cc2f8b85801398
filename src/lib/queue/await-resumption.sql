-- Whether any job of a queue may go on before it is due, now or soon. (The settings: claim-jobs.sql.)
create or replace function await_resumption(of_queue text) returns boolean language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set enable_sort = off set enable_incremental_sort = off set plan_cache_mode = force_generic_plan set jit = off
as $$
begin
  perform from jobs j
  where j.queue = of_queue and j.state = 'scheduled' and j.resumable_at is not null
  order by j.tenant_id, j.lane, j.resumable_at limit 1;
  return found;
end $$;
