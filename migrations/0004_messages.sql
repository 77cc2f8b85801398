-- Messages, what becomes of those that are sent, and how mailboxes have filed them (ADR 32).
--
-- environment_id says whose data a row is: the tenant's id for production, an application's id for that
-- sandbox. Every query of the API binds tenant_id and environment_id. Ids of messages, mailboxes and environments
-- each belong to one tenant: keys begin with them.
--
-- The parts of a message carry no foreign keys: each would cost the accepting statement a look-up a row. They
-- are written by the statement that writes the message and removed by the one that removes it.

-- What was written or received. It changes when it is held, when it ends, and when someone first touches the sender's entry.
create table messages (
  tenant_id uuid not null,
  id uuid not null,
  environment_id uuid not null,
  -- With created_at the order of pages: created_at alone may tie between processes.
  seq bigint generated always as identity,
  created_at timestamptz not null,
  -- Inbound.
  received_at timestamptz,
  -- Outbound: the sender, and the application that sent.
  mailbox_id uuid,
  app_id uuid,
  -- Inbound: of the whole MIME message. That of sent mail is in message_states.
  size_bytes bigint,
  attachment_count integer not null default 0,
  -- The sender's mailbox has it in `sent`, read and not starred, and no row of message_entries says so.
  in_sent boolean not null default false,
  held boolean not null default false,
  -- A message that is gone shows nowhere. Its rows stay only while it is held.
  gone_at timestamptz,
  gone text check (gone in ('deleted', 'expired', 'purged')),
  direction text not null check (direction in ('inbound', 'outbound')),
  from_address text,
  from_name text,
  -- [{address, name}]
  to_addresses json not null,
  cc_addresses json not null,
  bcc_addresses json not null,
  subject text not null,
  preview text not null,
  -- Inbound: the Message-ID header, with its angle brackets. Of sent mail it is made of the id and the sender's domain.
  message_id text,
  in_reply_to text,
  text text,
  html text,
  constraint messages_pkey primary key (id),
  constraint messages_received_when check ((direction = 'inbound') = (received_at is not null)),
  constraint messages_sender check (direction = 'inbound' or (mailbox_id is not null and app_id is not null)),
  constraint messages_in_sent_outbound check (not in_sent or direction = 'outbound'),
  constraint messages_gone_when check ((gone is null) = (gone_at is null))
);
create index messages_page on messages (environment_id, created_at desc, seq desc);
create index messages_inbound on messages (environment_id, created_at desc, seq desc) where direction = 'inbound';
create index messages_in_sent on messages (mailbox_id, environment_id, created_at desc, seq desc) where in_sent;

-- What becomes of a message that is sent: narrow, so that an outcome copies no body. Inbound mail has none, as it is
-- `received` for good. Outcomes of one message take turns on its row.
create table message_states (
  tenant_id uuid not null,
  message_id uuid not null,
  sent_at timestamptz,
  -- Of the whole MIME message; null until it is built and stored.
  size_bytes bigint,
  -- How many recipients are still queued.
  open smallint not null check (open >= 0),
  status text not null check (status in ('queued', 'sent', 'delivered', 'bounced', 'failed')),
  -- [{address, kind, status, smtpCode, enhancedCode, diagnostic, attempts, nextAttemptAt, updatedAt}], each address once: what is
  -- not known yet is absent.
  recipients json not null,
  -- The DKIM-Signature that a sent message begins with: the one field of its header that cannot be read off its row.
  dkim_signature text,
  -- The message's place in the order once it is bounced or failed, so that a page of these is read from one index. An update
  -- of any other keeps to its page (HOT): what the index names does not change by it.
  failed_environment_id uuid,
  failed_created_at timestamptz,
  failed_seq bigint,
  constraint message_states_pkey primary key (message_id),
  constraint message_states_sent check (
    status not in ('sent', 'delivered', 'bounced') or (sent_at is not null and size_bytes is not null)),
  constraint message_states_queued check (status <> 'queued' or sent_at is null),
  constraint message_states_failed check (
    case when status in ('bounced', 'failed') then num_nulls(failed_environment_id, failed_created_at, failed_seq) = 0
    else num_nonnulls(failed_environment_id, failed_created_at, failed_seq) = 0 end)
) with (fillfactor = 50);
create index message_states_failed on message_states (failed_environment_id, failed_created_at desc, failed_seq desc)
  where failed_seq is not null;

-- A message as one mailbox has it: its folder and flags. That of the sender is here once someone has touched it.
create table message_entries (
  tenant_id uuid not null,
  message_id uuid not null,
  mailbox_id uuid not null,
  environment_id uuid not null,
  -- The message's place in the order, so that a page of a folder is read from one index, and that of a mailbox from five
  -- places of it.
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
create index message_entries_page on message_entries (mailbox_id, environment_id, folder, created_at desc, seq desc);
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
