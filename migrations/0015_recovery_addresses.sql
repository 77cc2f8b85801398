-- Where a mailbox user who cannot sign in any more is mailed a link, as the mailbox is no place for it.

create table recovery_addresses (
  tenant_id uuid not null,
  user_id uuid not null,
  -- As logins are kept, its domain in ASCII.
  address text not null check (address = lower(address)),
  -- Null until its user has shown that mail to it arrives: until then nothing but the link for that is mailed there.
  verified_at timestamptz,
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);

-- Links that were asked for within the hour, by what is counted: a login, whether there is one or not, the network that
-- asks, a user, or the address that is mailed to.
create table link_requests (
  -- SHA-256 of the kind and the name.
  key bytea primary key check (octet_length(key) = 32),
  requests integer not null check (requests > 0),
  -- When the first of them was.
  since timestamptz not null
) with (fillfactor = 80);
create index link_requests_by_age on link_requests (since);

alter table user_links drop constraint user_links_purpose_check;
alter table user_links add constraint user_links_purpose_check
  check (purpose in ('invitation', 'reset', 'sign_in', 'recovery_address'));

alter table notices drop constraint notices_kind_check;
alter table notices add constraint notices_kind_check
  check (kind in ('invitation', 'reset', 'recovery_address', 'recovery_reset', 'new_sign_in', 'endpoint_failing',
    'endpoint_disabled', 'domain_failing', 'plan_80', 'plan_100'));
