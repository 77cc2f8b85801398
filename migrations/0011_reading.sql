-- Entries carry their message's place in the order, so that a page of one mailbox is read from one index, and since
-- when they lie in the trash.

alter table message_entries
  add column environment_id uuid,
  add column created_at timestamptz,
  add column seq bigint,
  add column trashed_at timestamptz;

update message_entries e
set environment_id = m.environment_id, created_at = m.created_at, seq = m.seq,
  trashed_at = case when e.folder = 'trash' then clock_timestamp() end
from messages m where m.tenant_id = e.tenant_id and m.id = e.message_id;

alter table message_entries
  alter column environment_id set not null,
  alter column created_at set not null,
  alter column seq set not null,
  add constraint message_entries_trashed_when check ((folder = 'trash') = (trashed_at is not null));

create index message_entries_page on message_entries (tenant_id, mailbox_id, environment_id, created_at desc, seq desc);
create index message_entries_trashed on message_entries (trashed_at) where trashed_at is not null;

-- For the sweep of what is old, whoever's it is.
create index audit_log_by_age on audit_log (at);
