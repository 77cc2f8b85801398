-- How many rows of a table name an address, whatever column has it. Takes the table, the pattern of the address (for ~*) and a
-- tenant, or null for all: of one tenant nothing is counted in a table that has none.
create or replace function count_naming(looked_at regclass, pattern text, tenant uuid) returns bigint
language plpgsql stable as $$
declare
  found bigint;
  has_tenant constant boolean := exists (
    select from pg_attribute a where a.attrelid = looked_at and a.attname = 'tenant_id' and not a.attisdropped);
begin
  if tenant is null then
    execute format('select count(*) from %s t where t::text ~* $1', looked_at) into found using pattern;
  elsif has_tenant then
    execute format('select count(*) from %s t where t.tenant_id = $2 and t::text ~* $1', looked_at)
      into found using pattern, tenant;
  end if;
  return coalesce(found, 0);
end
$$;
