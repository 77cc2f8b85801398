-- What follows the event feed: counts of events, and the words by which messages are found (ADR 51). All of it can be made
-- again from the log and the messages.

-- How far one environment's log has been followed. A second row with a higher build is a rebuild, which takes the place of the
-- lower one when it has come as far.
create table activity_cursors (
  tenant_id uuid not null,
  environment_id uuid not null,
  build integer not null,
  -- A place in the log (ADR 5): everything up to it, itself included, is counted and can be found.
  epoch integer not null,
  xid xid8 not null,
  seq bigint not null,
  -- How many events that are.
  followed bigint not null,
  primary key (tenant_id, environment_id, build)
);

-- How many events of a type there were in a quarter of an hour, of which the hours and days of every time zone are made.
create table activity_counts (
  tenant_id uuid not null,
  environment_id uuid not null,
  build integer not null,
  -- The environment itself for all of it, or a mailbox: each that the event concerns.
  subject_id uuid not null,
  -- The beginning of the quarter of an hour.
  at timestamptz not null,
  type text not null,
  count bigint not null check (count > 0),
  primary key (tenant_id, environment_id, build, subject_id, at, type)
);
create index activity_counts_old on activity_counts (at);

-- Messages that follow each other in time, so many that each search costs the same in all of them. Words are kept for one span
-- at a time: `<id, hex>/<word>`.
create table search_spans (
  tenant_id uuid not null,
  environment_id uuid not null,
  -- From here on, to where the next one begins, by the created_at of messages.
  begins_at timestamptz not null,
  id bigint generated always as identity,
  newest_at timestamptz not null,
  messages integer not null,
  primary key (tenant_id, environment_id, begins_at)
);

-- By which words a message is found. Removed with the message.
create table message_search (
  tenant_id uuid not null,
  message_id uuid not null,
  environment_id uuid not null,
  -- The message's place in the order of pages.
  created_at timestamptz not null,
  seq bigint not null,
  -- Of its subject, sender and recipients.
  words tsvector not null,
  primary key (tenant_id, message_id)
);
create index message_search_words on message_search using gin (words) with (gin_pending_list_limit = 256);
