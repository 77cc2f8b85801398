-- What the webmail finds mail by (ADR 68). Mailboxes that nobody reads there have none of it.

-- Mailboxes that somebody reads, and how far what they had before has been looked through, from the newest on.
create table searched_mailboxes (
  tenant_id uuid not null,
  mailbox_id uuid not null,
  -- A place in the order of messages: what lies before it can be found.
  walked_to timestamptz not null default 'infinity',
  walked_to_seq bigint not null default 0,
  is_walked boolean not null default false,
  primary key (tenant_id, mailbox_id)
);
create index searched_mailboxes_open on searched_mailboxes (tenant_id, mailbox_id) where not is_walked;
insert into searched_mailboxes (tenant_id, mailbox_id) select distinct a.tenant_id, a.mailbox_id from mailbox_access a;

-- Messages of a mailbox that follow each other in time, as search_spans has those of an environment.
create table mailbox_spans (
  tenant_id uuid not null,
  mailbox_id uuid not null,
  -- From here on, to where the next one begins, by the created_at of messages.
  begins_at timestamptz not null,
  id bigint generated always as identity,
  -- Of its messages.
  oldest_at timestamptz not null,
  newest_at timestamptz not null,
  messages integer not null,
  primary key (tenant_id, mailbox_id, begins_at)
);

-- By which words a mailbox's message is found: `<span, hex>/<field><word>`. Removed when the mailbox has it no more.
create table mailbox_search (
  tenant_id uuid not null,
  message_id uuid not null,
  mailbox_id uuid not null,
  -- The message's place in the order of pages.
  created_at timestamptz not null,
  seq bigint not null,
  words tsvector not null,
  primary key (tenant_id, message_id, mailbox_id)
);
create index mailbox_search_words on mailbox_search using gin (words) with (gin_pending_list_limit = 256);

-- What is starred, and what is not read, newest first.
create index message_entries_starred on message_entries (mailbox_id, environment_id, created_at desc, seq desc) where is_starred;
create index message_entries_unread on message_entries (mailbox_id, environment_id, created_at desc, seq desc) where not is_read;
