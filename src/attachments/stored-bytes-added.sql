-- Runs after rows with a size in bytes are inserted (triggers.sql, here and of messages): counts them as stored. Kept by a
-- trigger, so that no writer can forget it.
create or replace function stored_bytes_added() returns trigger language plpgsql as $$
declare changes json;
begin
  select json_agg(json_build_object('tenant_id', tenant_id, 'bytes', size_bytes)) into changes
  from new_rows where size_bytes > 0;
  if changes is not null then perform add_stored_bytes(changes); end if;
  return null;
end $$;
