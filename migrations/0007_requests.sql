-- What requests have done: answers that are given again, and who did what.

create table idempotency_keys (
  tenant_id uuid not null,
  -- Whose key it is: an application's or a mailbox user's, each of which belongs to one tenant.
  author_id uuid not null,
  key text not null,
  operation text not null,
  -- What the operation was aimed at when its path names it; empty otherwise.
  target text not null,
  request_hash bytea not null check (length(request_hash) = 32),
  -- The answer, once there is one. That to a send is made of its resource.
  status_code smallint,
  resource_id uuid,
  response json,
  reserved_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (author_id, key),
  check (response is null or status_code is not null)
);
create index idempotency_keys_by_expiry on idempotency_keys (expires_at);

-- Who did what, but for sends, which stand on their event.
create table audit_log (
  tenant_id uuid,
  id uuid not null,
  at timestamptz not null,
  -- Who did it: a key of an application, a person, a mailbox user, or the operator by an account of the machine.
  app_id uuid,
  key_id uuid,
  person_id uuid,
  mailbox_user_id uuid,
  account text,
  operation text not null,
  resource_type text not null,
  resource_id uuid,
  client_address text,
  user_agent text,
  request_id text
);
create index audit_log_by_tenant on audit_log (tenant_id, at desc);
-- For the sweep of what is old, whoever's it is.
create index audit_log_by_age on audit_log (at);
