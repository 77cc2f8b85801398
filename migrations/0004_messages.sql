-- Messages, their recipients, and how mailboxes have filed them.
--
-- environment_id says whose data a row is: the tenant's id for production, an application's id for that
-- sandbox. Every query of the API binds tenant_id and environment_id.
--
-- The parts of a message carry no foreign keys: each would cost the accepting statement a look-up a row. They
-- are written by the statement that writes the message and removed by the one that removes it.

create table messages (
  tenant_id uuid not null,
  id uuid not null,
  environment_id uuid not null,
  -- With created_at the order of pages: created_at alone may tie between processes.
  seq bigint generated always as identity,
  created_at timestamptz not null,
  direction text not null check (direction in ('inbound', 'outbound')),
  status text not null check (status in ('queued', 'sent', 'delivered', 'bounced', 'failed', 'received')),
  -- Outbound: the sender, and the application that sent.
  mailbox_id uuid,
  app_id uuid,
  from_address text,
  from_name text,
  -- [{address, name}]
  to_addresses jsonb not null,
  cc_addresses jsonb not null,
  bcc_addresses jsonb not null,
  subject text not null,
  preview text not null,
  attachment_count integer not null default 0,
  -- Of the whole MIME message; absent until it is built.
  size_bytes bigint,
  -- The Message-ID header, with its angle brackets.
  message_id text,
  in_reply_to text,
  -- Where the MIME message lies in the object store.
  object_key text,
  -- The DKIM-Signature that a sent message begins with: the one field of its header that cannot be read off its row.
  dkim_signature text,
  sent_at timestamptz,
  received_at timestamptz,
  held boolean not null default false,
  -- A message that is gone shows nowhere. Its rows stay only while it is held.
  gone text check (gone in ('deleted', 'expired', 'purged')),
  gone_at timestamptz,
  primary key (tenant_id, id),
  check ((direction = 'inbound') = (status = 'received')),
  check ((direction = 'inbound') = (received_at is not null)),
  check (direction = 'inbound' or (mailbox_id is not null and app_id is not null)),
  check (status not in ('sent', 'delivered', 'bounced') or (sent_at is not null and object_key is not null)),
  check (status <> 'queued' or sent_at is null),
  constraint messages_gone_when check ((gone is null) = (gone_at is null))
) with (fillfactor = 85);
create index messages_page on messages (tenant_id, environment_id, created_at desc, seq desc);
-- A return path and an operator name a message by its id alone.
create index messages_by_id on messages (id);

-- Apart from messages, whose rows change with every report: these are written once.
create table message_bodies (
  tenant_id uuid not null,
  message_id uuid not null,
  text text,
  html text,
  primary key (tenant_id, message_id)
);

create table message_recipients (
  tenant_id uuid not null,
  message_id uuid not null,
  position smallint not null,
  address text not null,
  kind text not null check (kind in ('to', 'cc', 'bcc')),
  status text not null check (status in ('queued', 'sent', 'delivered', 'bounced', 'failed')),
  smtp_code smallint,
  enhanced_code text,
  diagnostic text,
  updated_at timestamptz not null,
  primary key (tenant_id, message_id, position)
) with (fillfactor = 85);

-- A message as one mailbox has it: its folder and flags.
create table message_entries (
  tenant_id uuid not null,
  message_id uuid not null,
  mailbox_id uuid not null,
  environment_id uuid not null,
  -- The message's place in the order, so that a page of one mailbox is read from one index.
  created_at timestamptz not null,
  seq bigint not null,
  folder text not null check (folder in ('inbox', 'sent', 'archive', 'spam', 'trash')),
  is_read boolean not null,
  is_starred boolean not null,
  -- Since when it lies in the trash.
  trashed_at timestamptz,
  primary key (tenant_id, message_id, mailbox_id),
  constraint message_entries_trashed_when check ((folder = 'trash') = (trashed_at is not null))
);
create index message_entries_page on message_entries (tenant_id, mailbox_id, environment_id, created_at desc, seq desc);
create index message_entries_trashed on message_entries (trashed_at) where trashed_at is not null;

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
