-- What came in by SMTP.

-- The same bytes from the same envelope: taken again after a lost acknowledgement, and not doubled.
create table inbound_receipts (
  tenant_id uuid not null,
  -- SHA-256 over the sender, the tenant's recipients and the digest of the bytes.
  digest bytea not null check (length(digest) = 32),
  message_id uuid not null,
  received_at timestamptz not null,
  primary key (tenant_id, digest)
);
create index inbound_receipts_by_age on inbound_receipts (received_at);

-- Mail to a return path in which no report could be read: kept for a while for whoever looks after the relay.
create table unread_reports (
  tenant_id uuid not null,
  id uuid not null,
  -- The message it came back for.
  message_id uuid not null,
  object_key text not null,
  received_at timestamptz not null,
  primary key (tenant_id, id)
);
create index unread_reports_by_age on unread_reports (received_at);
-- So many are kept of each message.
create index unread_reports_by_message on unread_reports (tenant_id, message_id);
