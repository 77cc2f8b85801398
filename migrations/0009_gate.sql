-- Requests counted for their limits, in fixed windows of UTC. Processes count in memory and add up here twice a
-- second and more.
create table rate_counts (
  -- What is counted: ip, key or tenant.
  name text not null,
  subject text not null,
  window_start timestamptz not null,
  requests bigint not null,
  primary key (name, subject, window_start)
) with (fillfactor = 70);
create index rate_counts_by_window on rate_counts (window_start);
