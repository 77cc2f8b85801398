-- Messages, what happens to them, and the canonical event log.
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
  sent_at timestamptz,
  received_at timestamptz,
  primary key (tenant_id, id),
  check ((direction = 'inbound') = (status = 'received')),
  check ((direction = 'inbound') = (received_at is not null)),
  check (direction = 'inbound' or (mailbox_id is not null and app_id is not null)),
  check (status not in ('sent', 'delivered', 'bounced') or (sent_at is not null and object_key is not null)),
  check (status <> 'queued' or sent_at is null)
) with (fillfactor = 85);
create index messages_page on messages (tenant_id, environment_id, created_at desc, seq desc);

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
  folder text not null check (folder in ('inbox', 'sent', 'archive', 'spam', 'trash')),
  is_read boolean not null,
  is_starred boolean not null,
  primary key (tenant_id, message_id, mailbox_id)
);

-- The epoch of the feed goes up when the database's system identifier changes: a restored dump counts its
-- transactions anew, and what it brought along must stay in front of what comes now.
create table feed_epoch (
  single boolean primary key default true check (single),
  epoch integer not null,
  system_identifier bigint not null
);

create table events (
  tenant_id uuid not null,
  environment_id uuid not null,
  epoch integer not null,
  xid xid8 not null default pg_current_xact_id(),
  seq bigint generated always as identity,
  id uuid not null,
  type text not null,
  resource_type text not null,
  resource_id uuid not null,
  -- Kept as the text it was written as: the feed passes it on without reading it.
  data json not null,
  occurred_at timestamptz not null,
  primary key (tenant_id, environment_id, epoch, xid, seq)
);

create table idempotency_keys (
  tenant_id uuid not null,
  app_id uuid not null,
  key text not null,
  operation text not null,
  -- What the operation was aimed at when its path names it; empty otherwise.
  target text not null,
  request_hash bytea not null check (length(request_hash) = 32),
  -- The answer, once there is one.
  status_code smallint,
  resource_id uuid,
  response json,
  reserved_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (tenant_id, app_id, key),
  check ((status_code is null) = (response is null))
);
create index idempotency_keys_by_expiry on idempotency_keys (expires_at);

-- Recipients accepted in a calendar month (UTC). Its row is what sends of one tenant take turns on.
create table tenant_usage (
  tenant_id uuid not null references tenants (id),
  month date not null check (month = date_trunc('month', month)),
  recipients bigint not null default 0,
  primary key (tenant_id, month)
) with (fillfactor = 50);

create table audit_log (
  tenant_id uuid,
  id uuid not null,
  at timestamptz not null,
  -- Both absent when an operator did it.
  app_id uuid,
  key_id uuid,
  operation text not null,
  resource_type text not null,
  resource_id uuid,
  client_address text,
  user_agent text,
  request_id text
);
create index audit_log_by_tenant on audit_log (tenant_id, at desc);
