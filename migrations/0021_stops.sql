-- Addresses that mail came back from, and those that get no more (ADR 56). What belongs to one environment, production or a
-- sandbox, is never seen in another.

-- How many rows of suppressions the tenant has, in all its environments. While it is 0 a send looks none up.
alter table tenants add column suppressions bigint not null default 0 check (suppressions >= 0);
-- An address that bounces for good, or complains, gets no more mail.
alter table tenants add column stops_bounced boolean not null default false;

-- Addresses that get no more mail.
create table suppressions (
  tenant_id uuid not null,
  environment_id uuid not null,
  -- As addresses are compared: the domain in ASCII, all of it in lower case; octet by octet, as the accepting statement does.
  address text collate "C" not null,
  id uuid not null,
  reason text not null check (reason in ('manual', 'import', 'bounce', 'complaint')),
  created_at timestamptz not null default clock_timestamp(),
  -- Who stopped it: a person, of the directory (ADR 36), or the operator, by an account of the machine; nobody, when it bounced
  -- or complained.
  made_by_person uuid,
  made_by_account text,
  -- The message that bounced or was complained of.
  message_id uuid,
  note text,
  primary key (tenant_id, environment_id, address),
  constraint suppressions_cause check (
    case when reason in ('bounce', 'complaint') then message_id is not null and num_nonnulls(made_by_person, made_by_account) = 0
    else message_id is null and num_nonnulls(made_by_person, made_by_account) = 1 end)
);
create unique index suppressions_page on suppressions (tenant_id, environment_id, created_at desc, id desc);
create index suppressions_by_id on suppressions (tenant_id, id);

-- Each time that mail to an address came back for good, or that it complained.
create table bounces (
  tenant_id uuid not null,
  environment_id uuid not null,
  address text collate "C" not null,
  id uuid not null,
  message_id uuid not null,
  kind text not null check (kind in ('bounced', 'complained')),
  at timestamptz not null,
  smtp_code integer,
  enhanced_code text,
  diagnostic text,
  primary key (tenant_id, environment_id, address, id)
);
create index bounces_by_age on bounces (at);

-- The same by address: how often, and the last of them.
create table bounced_addresses (
  tenant_id uuid not null,
  environment_id uuid not null,
  address text collate "C" not null,
  id uuid not null,
  bounces integer not null check (bounces >= 0),
  complaints integer not null check (complaints >= 0),
  first_at timestamptz not null,
  last_at timestamptz not null,
  last_message_id uuid not null,
  last_kind text not null check (last_kind in ('bounced', 'complained')),
  smtp_code integer,
  enhanced_code text,
  diagnostic text,
  primary key (tenant_id, environment_id, address)
) with (fillfactor = 90);
create index bounced_addresses_page on bounced_addresses (tenant_id, environment_id, last_at desc, id desc);
create index bounced_addresses_bounced on bounced_addresses (tenant_id, environment_id, last_at desc, id desc) where bounces > 0;
create index bounced_addresses_complained on bounced_addresses (tenant_id, environment_id, last_at desc, id desc) where complaints > 0;
create index bounced_addresses_by_age on bounced_addresses (last_at);
