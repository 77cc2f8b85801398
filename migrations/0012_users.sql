-- Who signs in: people, to the console, and mailbox users, to the webmail; what they prove it by, and their sessions. People
-- and what is theirs are the directory (ADR 36), whose rows bear the nil UUID as their tenant; those of a mailbox user bear
-- the user's.

create table users (
  tenant_id uuid not null,
  id uuid not null unique,
  kind text not null check (kind in ('person', 'mailbox_user')),
  -- The address that is typed in to sign in, in lower case.
  login text not null check (login = lower(login)),
  name text,
  -- Whether notices are mailed.
  notices boolean not null default true,
  created_at timestamptz not null default clock_timestamp(),
  last_seen_at timestamptz,
  primary key (tenant_id, id),
  unique (kind, login),
  check ((kind = 'person') = (tenant_id = '00000000-0000-0000-0000-000000000000'))
) with (fillfactor = 90);

create table passwords (
  tenant_id uuid not null,
  user_id uuid not null,
  -- PHC string.
  hash text not null,
  -- Long enough to be the only factor.
  stands_alone boolean not null,
  changed_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);

create table totp_keys (
  tenant_id uuid not null,
  user_id uuid not null,
  -- Sealed by the service's keys.
  secret bytea not null,
  -- Null until a first code has shown that the user's device has it.
  confirmed_at timestamptz,
  -- The latest time step that was used; none is good twice (RFC 6238, section 5.2).
  last_step bigint not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);

create table passkeys (
  tenant_id uuid not null,
  user_id uuid not null,
  id uuid not null,
  -- As the authenticator gave it, base64url.
  credential_id text not null unique,
  -- COSE.
  public_key bytea not null,
  -- How often the authenticator says that it has signed; 0 for those that do not count.
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz,
  primary key (tenant_id, user_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);

-- SHA-256 of the challenges that were answered, until they are too old: none is good twice.
create table answered_challenges (
  challenge_hash bytea primary key check (octet_length(challenge_hash) = 32),
  answered_at timestamptz not null default clock_timestamp()
);
create index answered_challenges_by_age on answered_challenges (answered_at);

-- SHA-256 of the codes that are left.
create table recovery_codes (
  tenant_id uuid not null,
  user_id uuid not null,
  code_hash bytea not null check (octet_length(code_hash) = 32),
  primary key (tenant_id, user_id, code_hash),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);

-- Links that are good once: an invitation, a reset of the factors, a sign-in.
create table user_links (
  tenant_id uuid not null,
  user_id uuid not null,
  id uuid not null,
  purpose text not null check (purpose in ('invitation', 'reset', 'sign_in')),
  -- SHA-256 of the token in the link.
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  -- Of a person: the tenant whose Owner made it.
  for_tenant_id uuid,
  expires_at timestamptz not null,
  primary key (tenant_id, user_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index user_links_by_expiry on user_links (expires_at);

create table sessions (
  tenant_id uuid not null,
  user_id uuid not null,
  -- 16 random octets; half of what the cookie says.
  id uuid not null unique,
  -- SHA-256 of the other half.
  secret_hash bytea not null check (octet_length(secret_hash) = 32),
  -- Whether all factors are proven, or a second one is still asked for.
  whole boolean not null,
  -- Of a person: whose data is looked at.
  in_tenant_id uuid,
  -- Of a person: the role when the pair was made; another role makes another pair.
  role text,
  client_address text not null,
  user_agent text,
  -- When all factors were last proven.
  proven_at timestamptz not null default clock_timestamp(),
  -- When the user signed in: what the longest age counts from.
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, user_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
) with (fillfactor = 80);
create index sessions_by_age on sessions (created_at);

-- Wrong guesses of late, by what they were about: an account or an address.
create table sign_in_failures (
  -- SHA-256 of the kind and the name.
  key bytea primary key check (octet_length(key) = 32),
  failures integer not null check (failures > 0),
  last_failed_at timestamptz not null
) with (fillfactor = 80);
create index sign_in_failures_by_age on sign_in_failures (last_failed_at);

-- A person's role in a tenant.
create table memberships (
  tenant_id uuid not null references tenants (id),
  -- Of the directory, which may lie elsewhere (ADR 36).
  person_id uuid not null,
  role text not null check (role in ('owner', 'admin')),
  invited_at timestamptz not null default clock_timestamp(),
  -- Null while an invitation has not been taken up.
  joined_at timestamptz,
  primary key (tenant_id, person_id)
);
create index memberships_by_person on memberships (person_id);

-- How the people of a tenant may sign in.
create table tenant_sign_in (
  tenant_id uuid primary key references tenants (id),
  requires_second_factor boolean not null default false
);

create table mailbox_access (
  tenant_id uuid not null,
  mailbox_user_id uuid not null,
  mailbox_id uuid not null,
  access text not null check (access in ('read', 'write')),
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, mailbox_user_id, mailbox_id),
  foreign key (tenant_id, mailbox_user_id) references users (tenant_id, id) on delete cascade,
  foreign key (tenant_id, mailbox_id) references mailboxes (tenant_id, id)
);
create index mailbox_access_by_mailbox on mailbox_access (tenant_id, mailbox_id);
