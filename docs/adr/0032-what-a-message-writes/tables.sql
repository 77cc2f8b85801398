-- The tables of ADR 32, as far as they differ from schema.sql. Not applied by anything yet.
-- (*): not carried by the prototype that the figures are of.

-- What was written or received: never changed but for hold, end and the first touch of the sender's entry.
create table messages (
  tenant_id uuid not null,
  id uuid not null,
  environment_id uuid not null,
  seq bigint generated always as identity not null,
  created_at timestamptz not null,
  received_at timestamptz,                 -- inbound only
  mailbox_id uuid,                         -- the sender's, outbound only
  app_id uuid,                             -- outbound only
  size_bytes bigint,                       -- inbound only; of sent mail in message_states
  attachment_count integer not null default 0,
  in_sent boolean not null default false,  -- the sender's mailbox holds it in "sent", read, unstarred, and no row says so
  held boolean not null default false,
  gone_at timestamptz,
  gone text check (gone in ('deleted', 'expired', 'purged')),
  direction text not null check (direction in ('inbound', 'outbound')),
  from_address text, from_name text,
  to_addresses json not null, cc_addresses json not null, bcc_addresses json not null,
  subject text not null, preview text not null,
  message_id text,                         -- inbound only: ours is '<id@domain of from_address>'
  in_reply_to text,
  text text, html text,
  constraint messages_pkey primary key (id),                           -- every look-up, also by id alone (return path, operator)
  check ((direction = 'inbound') = (received_at is not null)),
  check (direction = 'inbound' or (mailbox_id is not null and app_id is not null)),
  check (not in_sent or direction = 'outbound'),
  check ((gone is null) = (gone_at is null))
);
create index messages_page on messages (environment_id, created_at desc, seq desc);                            -- tenant's page, retention
create index messages_in_sent on messages (mailbox_id, environment_id, created_at desc, seq desc) where in_sent; -- mailbox's page, folder sent

-- What becomes of a message that is sent. Inbound mail has none: its status is 'received'.
create table message_states (
  tenant_id uuid not null,
  message_id uuid not null,
  sent_at timestamptz,
  size_bytes bigint,                       -- null until it is built and stored; its key is objectKey('messages', tenant, id)
  open smallint not null,                  -- (*) recipients still queued: what a deletion, a sweep and the doctor ask
  status text not null check (status in ('queued', 'sent', 'delivered', 'bounced', 'failed')),
  recipients json not null,                -- [{position, address, kind, status, smtpCode, enhancedCode, diagnostic, attempts, nextAttemptAt, updatedAt}]
  dkim_signature text,
  constraint message_states_pkey primary key (message_id),
  check (status not in ('sent', 'delivered', 'bounced') or (sent_at is not null and size_bytes is not null)),
  check (status <> 'queued' or sent_at is null)
) with (fillfactor = 50);                  -- a report stays on its page in 100 % of cases, the record of submission in 58 %

-- Only entries that someone touched, and those of received mail.
-- message_entries: columns as today; message_entries_page is replaced by
create index message_entries_folder on message_entries (mailbox_id, environment_id, folder, created_at desc, seq desc);

-- events: who asked for what is told. Null but in message.queued. Outlives the idempotency record, a purge and the message.
alter table events add column app_id uuid, add column key_id uuid, add column request_id uuid, add column client_address text, add column user_agent text;
create index events_of_keys on events (tenant_id, occurred_at desc) where key_id is not null;  -- the audit's page

-- idempotency_keys: primary key (app_id, key); response null for a send (made of resource_id); by_expiry stays.
-- jobs, audit_log, webhook_deliveries, attachments: as they are. Gone: message_bodies, message_recipients, messages_by_id, messages_stored.

-- The first touch of the sender's entry: whoever clears the flag writes the row.
with touched as (
  update messages m set in_sent = false
  where m.tenant_id = $1 and m.environment_id = $2 and m.id = $3 and m.mailbox_id = $4 and m.in_sent and m.gone is null
  returning m.tenant_id, m.id, m.mailbox_id, m.environment_id, m.created_at, m.seq
)
insert into message_entries (tenant_id, message_id, mailbox_id, folder, is_read, is_starred, environment_id, created_at, seq)
select t.tenant_id, t.id, t.mailbox_id, 'sent', true, false, t.environment_id, t.created_at, t.seq from touched t;
