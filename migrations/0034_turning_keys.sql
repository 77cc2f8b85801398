-- What leads from one key of the service to the next.

-- Since when new secrets are sealed by it; null: not yet, or before this was kept.
alter table secret_keys add column current_since timestamptz;

-- Which keys the processes have that run: nobody seals by a key that one of them could not open.
create table secret_key_holders (
  process_id uuid primary key,
  -- The first seals.
  versions bigint[] not null check (cardinality(versions) > 0),
  seen_at timestamptz not null default clock_timestamp()
);
