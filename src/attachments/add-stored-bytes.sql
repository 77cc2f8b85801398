-- Adds to what tenants have stored. Takes [{tenant_id, bytes}], of which several may be of one tenant and bytes may be below
-- zero; gives nothing. The counters are changed once a tenant and in the order of tenants, so that no two statements wait for
-- each other.
create or replace function add_stored_bytes(changes json) returns void language sql as $$
  insert into tenant_storage as s (tenant_id, stored_bytes)
  select c.tenant_id, sum(c.bytes) from json_to_recordset(changes) as c (tenant_id uuid, bytes bigint)
  group by c.tenant_id having sum(c.bytes) <> 0 order by c.tenant_id
  on conflict (tenant_id) do update set stored_bytes = s.stored_bytes + excluded.stored_bytes
$$;
