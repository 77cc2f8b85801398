-- The keys of the service that have been used with this database, by what can be told of them without knowing them: so
-- that a process with other keys is recognised before it does anything.
create table secret_keys (
  version bigint primary key,
  -- Hex; derived from the key.
  fingerprint text not null check (fingerprint ~ '^[0-9a-f]{16}$'),
  first_used_at timestamptz not null default clock_timestamp()
);
