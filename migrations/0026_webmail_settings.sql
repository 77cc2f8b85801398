-- How mailbox users want the webmail, and from whom they want images shown.

create table mailbox_user_settings (
  tenant_id uuid not null,
  user_id uuid not null,
  shortcuts boolean not null,
  theme text not null check (theme in ('system', 'light', 'dark')),
  notifications boolean not null,
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);

create table image_senders (
  tenant_id uuid not null,
  user_id uuid not null,
  -- Domain in ASCII, all of it in lower case.
  address text not null check (address = lower(address)),
  added_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, user_id, address),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
