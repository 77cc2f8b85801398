-- What is counted against a plan.

-- Requests counted for their limits, in fixed windows of UTC. Processes reserve some before they let them through.
create table rate_counts (
  -- What is counted: ip, key or tenant.
  name text not null,
  subject text not null,
  window_start timestamptz not null,
  -- Reserved of the window by all processes.
  requests bigint not null,
  -- What the last reservation was granted, and of which limit: a statement that reserves for many subjects gives them back.
  granted bigint not null default 0,
  most bigint not null default 0,
  primary key (name, subject, window_start)
) with (fillfactor = 70);
create index rate_counts_by_window on rate_counts (window_start);

-- Recipients accepted in a calendar month (UTC). Its row is what sends of one tenant take turns on.
create table tenant_usage (
  tenant_id uuid not null references tenants (id),
  month date not null check (month = date_trunc('month', month)),
  recipients bigint not null default 0,
  primary key (tenant_id, month)
) with (fillfactor = 50);

-- Bytes that are stored: of attachments and of messages, kept by their triggers and by whoever stores a received message.
create table tenant_storage (
  tenant_id uuid primary key,
  stored_bytes bigint not null
) with (fillfactor = 50);
