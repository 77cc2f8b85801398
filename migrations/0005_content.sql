-- What a message consists of beyond its summary, attachments, and how content ends.

-- Objects that are to leave the store: noted before one is put, so that a crash leaves nothing behind that nobody
-- knows of, and when the last row that needed one goes.
create table object_removals (
  object_key text primary key,
  due_at timestamptz not null,
  -- Set while a sweep removes the object; after it another may try again.
  claimed_until timestamptz
);
create index object_removals_by_due on object_removals (due_at);

-- A message that is gone shows nowhere. Its rows stay only while it is held.
alter table messages
  add column held boolean not null default false,
  add column gone text check (gone in ('deleted', 'expired', 'purged')),
  add column gone_at timestamptz,
  add constraint messages_gone_when check ((gone is null) = (gone_at is null));

-- What reading a received message gave, beside its bodies. Written once.
create table message_contents (
  tenant_id uuid not null,
  message_id uuid not null,
  -- [{address, name}]
  reply_to jsonb not null,
  -- Message-IDs of the References header, oldest first.
  reference_ids jsonb not null,
  -- [{name, value}]
  headers jsonb not null,
  -- The tree of its parts; null when it could not be read.
  mime jsonb,
  authentication jsonb,
  text_truncated boolean not null default false,
  html_truncated boolean not null default false,
  primary key (tenant_id, message_id)
);

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
  primary key (tenant_id, id)
);

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
