-- How mailbox users sign what they send from a mailbox, as long as they have access to it.

create table sender_identities (
  tenant_id uuid not null,
  user_id uuid not null,
  mailbox_id uuid not null,
  -- Of the From field; null: the mailbox's own.
  name text,
  -- HTML.
  signature text,
  primary key (tenant_id, user_id, mailbox_id),
  foreign key (tenant_id, user_id, mailbox_id)
    references mailbox_access (tenant_id, mailbox_user_id, mailbox_id) on delete cascade
);
