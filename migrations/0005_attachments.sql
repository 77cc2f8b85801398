-- Bytes that messages carry, how they are uploaded, and how objects leave the store.

-- Objects that are to leave the store: noted before one is put, so that a crash leaves nothing behind that nobody
-- knows of, and when the last row that needed one goes.
create table object_removals (
  object_key text primary key,
  due_at timestamptz not null,
  -- Set while a sweep removes the object; after it another may try again.
  claimed_until timestamptz
);
create index object_removals_by_due on object_removals (due_at);

-- Bytes that were uploaded or received, each an object of its own.
create table attachments (
  tenant_id uuid not null,
  id uuid not null,
  environment_id uuid not null,
  mailbox_id uuid not null,
  filename text not null,
  media_type text not null,
  size_bytes bigint not null check (size_bytes >= 0),
  sha256 bytea not null check (length(sha256) = 32),
  disposition text not null check (disposition in ('attachment', 'inline')),
  content_id text,
  object_key text not null,
  created_at timestamptz not null,
  -- No message may have taken it. One that is seen to be taken is never looked at again, as it goes with the last of its
  -- messages: so a sweep costs what is new, however much is kept.
  is_loose boolean not null default true,
  primary key (tenant_id, id)
);
create index attachments_loose on attachments (created_at) where is_loose;

-- Which messages an attachment is in: what was uploaded once may go out several times.
create table message_attachments (
  tenant_id uuid not null,
  message_id uuid not null,
  position smallint not null,
  attachment_id uuid not null,
  -- The part that holds it, as the message's mime names it.
  part_id text,
  primary key (tenant_id, message_id, position)
);
create index message_attachments_by_attachment on message_attachments (tenant_id, attachment_id);

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
  -- When it was completed: its attachment may be gone since, and does not come back by completing it once more.
  completed_at timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (tenant_id, id)
);
create index uploads_by_expiry on uploads (expires_at);
