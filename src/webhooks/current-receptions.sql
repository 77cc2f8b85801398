-- How often the queue has handed out a delivery that is pending, in its current cycle: its job knows, which counts each
-- reception as it happens, while the delivery is told when its attempt is recorded. A job is in a worker's hands, where
-- there are few for each lane; or it was, and waits again; or it never was. (The settings are those of the queue's
-- functions, lib/queue/claim-jobs.sql.)
create or replace function current_receptions(tenant uuid, endpoint uuid, delivery uuid, current_cycle integer)
returns integer language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan set jit = off
as $$
begin
  return coalesce(
    (select j.receptions from jobs j
     where j.tenant_id = tenant and j.subject_id = delivery and j.receptions > 0 and j.claim is null
       and j.queue = 'webhooks' and coalesce((j.payload ->> 'cycle')::integer, 1) = current_cycle
     limit 1),
    (select j.receptions from jobs j
     where j.queue = 'webhooks' and j.state = 'leased' and j.tenant_id = tenant and j.lane = endpoint
       and j.subject_id = delivery and coalesce((j.payload ->> 'cycle')::integer, 1) = current_cycle
     limit 1),
    0
  );
end $$;
