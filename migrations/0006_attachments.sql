-- Direct uploads, and how many bytes each tenant has stored.

-- What a client has announced and may put. Becomes an attachment of the same id when it is completed.
create table uploads (
  tenant_id uuid not null,
  id uuid not null,
  environment_id uuid not null,
  mailbox_id uuid not null,
  filename text not null,
  media_type text not null,
  size_bytes bigint not null check (size_bytes > 0),
  sha256 bytea not null check (length(sha256) = 32),
  -- When bytes that are as announced were put, and what was wrong with those that were not.
  put_at timestamptz,
  refused text[],
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (tenant_id, id)
);
create index uploads_by_expiry on uploads (expires_at);
create index attachments_by_age on attachments (created_at);

create table tenant_storage (
  tenant_id uuid primary key,
  stored_bytes bigint not null
) with (fillfactor = 50);

-- Kept by triggers, so that no writer can forget it: a row a tenant and statement, in the order of tenants.
create function add_stored_bytes(changes json) returns void language sql as $$
  insert into tenant_storage as s (tenant_id, stored_bytes)
  select c.tenant_id, sum(c.bytes) from json_to_recordset(changes) as c (tenant_id uuid, bytes bigint)
  group by c.tenant_id having sum(c.bytes) <> 0 order by c.tenant_id
  on conflict (tenant_id) do update set stored_bytes = s.stored_bytes + excluded.stored_bytes
$$;

create function stored_bytes_added() returns trigger language plpgsql as $$
declare changes json;
begin
  select json_agg(json_build_object('tenant_id', tenant_id, 'bytes', size_bytes)) into changes
  from new_rows where size_bytes > 0;
  if changes is not null then perform add_stored_bytes(changes); end if;
  return null;
end $$;

create function stored_bytes_changed() returns trigger language plpgsql as $$
declare changes json;
begin
  select json_agg(json_build_object('tenant_id', n.tenant_id, 'bytes', coalesce(n.size_bytes, 0) - coalesce(o.size_bytes, 0)))
  into changes
  from new_rows n join old_rows o on o.tenant_id = n.tenant_id and o.id = n.id
  where n.size_bytes is distinct from o.size_bytes;
  if changes is not null then perform add_stored_bytes(changes); end if;
  return null;
end $$;

create function stored_bytes_removed() returns trigger language plpgsql as $$
declare changes json;
begin
  select json_agg(json_build_object('tenant_id', tenant_id, 'bytes', -size_bytes)) into changes
  from old_rows where size_bytes > 0;
  if changes is not null then perform add_stored_bytes(changes); end if;
  return null;
end $$;

create trigger messages_stored after insert on messages
  referencing new table as new_rows for each statement execute function stored_bytes_added();
create trigger messages_resized after update on messages
  referencing old table as old_rows new table as new_rows for each statement execute function stored_bytes_changed();
create trigger messages_removed after delete on messages
  referencing old table as old_rows for each statement execute function stored_bytes_removed();
create trigger attachments_stored after insert on attachments
  referencing new table as new_rows for each statement execute function stored_bytes_added();
create trigger attachments_removed after delete on attachments
  referencing old table as old_rows for each statement execute function stored_bytes_removed();
