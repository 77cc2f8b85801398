-- Runs after deliveries are removed (triggers.sql): their attempts go with them, whoever removes them. Whatever records an
-- attempt changes its delivery in the same transaction, so that none comes later. (The settings are those of the queue's
-- functions, lib/queue/claim-jobs.sql: a plan that was made while there were no attempts must serve when there are many.)
create or replace function remove_attempts() returns trigger language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan set jit = off
as $$
begin
  delete from webhook_attempts a using removed_deliveries d where a.tenant_id = d.tenant_id and a.delivery_id = d.id;
  return null;
end $$;
