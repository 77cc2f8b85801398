-- DKIM keys on their way: the next of a domain until it signs, and the one before until nothing that it signed is under way.
create table dkim_turns (
  tenant_id uuid not null,
  domain_id uuid not null,
  next_selector text,
  next_public_key text,
  next_private_key bytea,
  -- Null too where the domain had none.
  previous_selector text,
  previous_public_key text,
  previous_until timestamptz,
  primary key (tenant_id, domain_id),
  foreign key (tenant_id, domain_id) references domains (tenant_id, id) on delete cascade,
  constraint dkim_turns_next check (num_nonnulls(next_selector, next_public_key, next_private_key) in (0, 3)),
  constraint dkim_turns_one check ((next_selector is null) = (previous_until is not null))
);
