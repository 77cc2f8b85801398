-- Requests of a known key that were refused, for a week.

create table refused_requests (
  tenant_id uuid not null,
  -- Of version 7: the newest sort last.
  request_id uuid not null,
  environment_id uuid not null,
  -- When it came.
  at timestamptz not null,
  method text not null,
  -- What the contract calls the path, and the path itself without its query.
  route text not null,
  path text not null check (length(path) <= 512),
  status smallint not null check (status between 400 and 599),
  code text,
  app_id uuid not null,
  key_id uuid not null,
  client_address text not null,
  user_agent text,
  duration_ms integer not null check (duration_ms >= 0),
  primary key (tenant_id, request_id)
);
-- For the sweep of what is old, whoever's it is.
create index refused_requests_by_age on refused_requests (at);
