-- What is known of a domain beyond its name: whether an operator vouched for it, the key that signs its mail, and
-- how it stood when it was last looked at.

alter table domains
  add column vouched boolean not null default false,
  add column dkim_selector text,
  -- SubjectPublicKeyInfo, base64.
  add column dkim_public_key text,
  -- PKCS #8, PEM, sealed by the service's keys.
  add column dkim_private_key bytea,
  -- Goes up with every check that begins; only the latest is recorded.
  add column check_round bigint not null default 0,
  add column check_due_at timestamptz not null default clock_timestamp(),
  add column checked_at timestamptz,
  add constraint domains_dkim_whole check (num_nonnulls(dkim_selector, dkim_public_key, dkim_private_key) in (0, 3));

-- Until now nothing else verified a domain.
update domains set vouched = verified;

create index domains_by_check on domains (check_due_at);
