-- What the console shows of domains and mailboxes.

-- What the latest check of a domain found; null before the first.
alter table domains add column checks jsonb;
-- When a check of it last began: another that somebody asks for waits for a moment.
alter table domains add column check_begun_at timestamptz;

create index mailboxes_in_order on mailboxes (tenant_id, address);

-- What is counted of a message for a mailbox that has it (ADR 65). Removed when the mailbox has it no more.
create table mailbox_messages (
  tenant_id uuid not null,
  message_id uuid not null,
  mailbox_id uuid not null,
  environment_id uuid not null,
  -- Of the whole MIME message.
  size_bytes bigint not null check (size_bytes >= 0),
  -- In the inbox, and not read.
  is_unread boolean not null,
  primary key (tenant_id, message_id, mailbox_id)
);

-- The sums of it, in parts: whoever removes messages adds a part, and waits for nobody; whoever counts puts them together.
create table mailbox_amounts (
  tenant_id uuid not null,
  environment_id uuid not null,
  mailbox_id uuid not null,
  id bigint generated always as identity,
  size_bytes bigint not null,
  unread bigint not null,
  primary key (tenant_id, environment_id, mailbox_id, id)
);

-- What there is already is counted by following all logs anew, as `mdk activity rebuild` does; the workers do it by themselves.
insert into activity_cursors (tenant_id, environment_id, build, epoch, xid, seq, followed)
select c.tenant_id, c.environment_id, max(c.build) + 1, 0, '0', 0, 0
from activity_cursors c
group by c.tenant_id, c.environment_id having count(*) = 1;
