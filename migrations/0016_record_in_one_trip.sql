-- Records webhook attempts that were all accepted, in one statement and so in one round trip: as record_attempts does,
-- where no counter of their endpoints (endpoint_tenants and endpoints, in pairs) has anything to forget. Gives false, and
-- has recorded nothing, where one has.
--
-- (A failure that is counted meanwhile counts as one after these.)
create function record_accepted(endpoint_tenants uuid[], endpoints uuid[], settlements json, results json)
returns boolean language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan set jit = off
as $$
begin
  perform from unnest(endpoint_tenants, endpoints) as n (tenant_id, id)
  cross join lateral (
    select from webhook_endpoints w
    where w.tenant_id = n.tenant_id and w.id = n.id and w.consecutive_failures > 0 offset 0
  ) failing;
  if found then return false; end if;
  perform record_attempts(settlements, results);
  return true;
end $$;
