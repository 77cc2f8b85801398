-- Whom the mailboxes that somebody reads have written with, for suggestions (ADR 71).

create table correspondents (
  tenant_id uuid not null,
  mailbox_id uuid not null,
  -- The address, of all whose spelling means the same: domain in ASCII, all of it in lower case.
  key text collate "C" not null,
  -- As it was written last.
  address text not null,
  name text,
  -- When the name was given, in milliseconds since 1970; 0 where there is none.
  named_at float8 not null,
  -- [{id, at, isWritten}] of the newest mails.
  mails jsonb not null,
  -- How often and how lately they were written with.
  rank float8 not null,
  -- Their words, each between two blanks.
  found_by text not null,
  primary key (tenant_id, mailbox_id, key)
);
create index correspondents_by_rank on correspondents (tenant_id, mailbox_id, rank desc, key);

-- By the beginning of which words each is found.
create table correspondent_words (
  tenant_id uuid not null,
  mailbox_id uuid not null,
  word text collate "C" not null,
  key text collate "C" not null,
  primary key (tenant_id, mailbox_id, word, key)
);
create index correspondent_words_of_one on correspondent_words (tenant_id, mailbox_id, key);

alter table searched_mailboxes add column correspondents integer not null default 0;
-- What mailboxes have already is looked through once more.
update searched_mailboxes set walked_to = 'infinity', walked_to_seq = 0, is_walked = false;
