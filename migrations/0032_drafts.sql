-- What mailbox users write in the webmail, and that they send it (ADR 70).

-- A message that is not sent. Nothing of it is in the API, in events or in counts.
create table drafts (
  tenant_id uuid not null,
  -- Made by the browser, so that a first save can come again.
  id uuid not null,
  mailbox_id uuid not null,
  -- The id that the message will have.
  message_id uuid not null,
  -- Of the content: each save that changes it is the next.
  version integer not null check (version >= 1),
  -- Of the content that was saved last, by which the same save is known when it comes again.
  content_sha256 bytea not null check (length(content_sha256) = 32),
  kind text not null check (kind in ('new', 'reply', 'reply_all', 'forward')),
  -- The message that is answered or forwarded, and what its header makes of that of this one.
  answers uuid,
  in_reply_to text,
  reference_ids text[] not null default '{}',
  to_addresses json not null,
  cc_addresses json not null,
  bcc_addresses json not null,
  subject text not null,
  format text not null check (format in ('html', 'text')),
  body text not null,
  preview text not null,
  quote_html text,
  quote_attribution text,
  -- When it becomes a message, whether its sender chose the time, and who pressed Send, from where.
  due_at timestamptz,
  is_scheduled boolean,
  sender_id uuid,
  client_address text,
  user_agent text,
  request_id uuid,
  -- Why it did not when it was due.
  failure_code text,
  failure_message text,
  created_at timestamptz not null default clock_timestamp(),
  saved_at timestamptz not null default clock_timestamp(),
  -- The login of whoever saved it, who may be gone since.
  saved_by text not null,
  primary key (tenant_id, id),
  constraint drafts_quote check ((quote_html is null) = (quote_attribution is null)),
  constraint drafts_due check (num_nonnulls(due_at, is_scheduled, sender_id, client_address, request_id) in (0, 5)),
  constraint drafts_failure check ((failure_code is null) = (failure_message is null)),
  constraint drafts_due_or_failed check (due_at is null or failure_code is null)
);
create index drafts_of_mailbox on drafts (tenant_id, mailbox_id, saved_at desc, id desc);

-- Files of a draft stay while it does.
create table draft_attachments (
  tenant_id uuid not null,
  draft_id uuid not null,
  position smallint not null,
  attachment_id uuid not null,
  primary key (tenant_id, draft_id, position)
);
create index draft_attachments_by_attachment on draft_attachments (tenant_id, attachment_id);

-- What became of drafts, for whoever asks again because an answer was lost. No save brings one back.
create table ended_drafts (
  tenant_id uuid not null,
  id uuid not null,
  mailbox_id uuid not null,
  -- Of what was sent; null: it was discarded.
  message_id uuid,
  version integer,
  due_at timestamptz,
  is_scheduled boolean,
  ended_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id),
  constraint ended_drafts_sent check (num_nonnulls(message_id, version, due_at, is_scheduled) in (0, 4))
);
create index ended_drafts_by_age on ended_drafts (ended_at);

-- Who wrote a message that no application sent, and what it mentions.
alter table messages add column mailbox_user_id uuid;
alter table messages add column reference_ids text[];
alter table messages drop constraint messages_sender;
-- What is there already was held to more than this, so that nothing need be read to know that it holds.
alter table messages add constraint messages_sender check (
  direction = 'inbound' or (mailbox_id is not null and num_nonnulls(app_id, mailbox_user_id) = 1)) not valid;
