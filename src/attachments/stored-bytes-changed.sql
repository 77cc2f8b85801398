-- Runs after states of messages are updated (messages/triggers.sql): counts by how much their sizes in bytes have changed.
create or replace function stored_bytes_changed() returns trigger language plpgsql as $$
declare changes json;
begin
  select json_agg(json_build_object('tenant_id', n.tenant_id, 'bytes', coalesce(n.size_bytes, 0) - coalesce(o.size_bytes, 0)))
  into changes
  from new_rows n join old_rows o on o.message_id = n.message_id
  where n.size_bytes is distinct from o.size_bytes;
  if changes is not null then perform add_stored_bytes(changes); end if;
  return null;
end $$;
