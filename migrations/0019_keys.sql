-- Who made a key, which one it takes the place of, and how often keys are used.

-- The maker: a person, of the directory (ADR 36), or the operator, by an account of the machine. Of earlier keys it is not known.
alter table api_keys add column made_by_person uuid;
alter table api_keys add column made_by_account text;
alter table api_keys add constraint api_keys_one_maker check (num_nonnulls(made_by_person, made_by_account) <= 1);
-- The key that it was made beside, for whoever uses that one to change to it.
alter table api_keys add column replaces uuid;
alter table api_keys add foreign key (tenant_id, replaces) references api_keys (tenant_id, id);

-- Requests with a good key, by days of UTC, for a week. Processes add what they have counted every few seconds.
create table api_key_requests (
  tenant_id uuid not null,
  key_id uuid not null,
  day date not null,
  requests bigint not null check (requests > 0),
  primary key (tenant_id, key_id, day)
) with (fillfactor = 50);
create index api_key_requests_by_day on api_key_requests (day);
