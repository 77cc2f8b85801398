-- Finds messages of some mailboxes by words (`mailbox_query` says how): at least the newest `most` of them, if there are so many, in no
-- order, and others beside. A message that several mailboxes have is given for each. `before_at` and `before_seq` are a place in the
-- order of pages, and what is given lies behind it, and is no older than `since_at`.
--
-- Goes back span by span, the newest first, until no older one can have what belongs among the newest: a span has few messages,
-- and the index gives those of one span alone, however many others have the word.
create or replace function find_in_mailboxes(
  in_tenant uuid, in_mailboxes uuid[], words text[], beginnings boolean[], exclusions boolean[], before_at timestamptz,
  before_seq bigint, since_at timestamptz, most integer
) returns table (message_id uuid, mailbox_id uuid, created_at timestamptz, seq bigint)
language plpgsql stable
-- The index on words, whatever the planner believes of a young table.
set enable_seqscan = off
as $$
declare
  span record;
  hit record;
  query tsquery;
  -- When the newest were made that have been found, `most` at most, and the oldest of them once there are so many.
  newest timestamptz[] := '{}';
  enough_at timestamptz;
begin
  for span in
    select s.id, s.mailbox_id, s.newest_at from mailbox_spans s
    where s.tenant_id = in_tenant and s.mailbox_id = any (in_mailboxes) and s.begins_at <= before_at and s.newest_at >= since_at
    order by s.newest_at desc
  loop
    exit when span.newest_at < enough_at;
    query := mailbox_query(span.id, words, beginnings, exclusions);
    for hit in
      select f.message_id, f.mailbox_id, f.created_at, f.seq
      from (
        select m.message_id, m.mailbox_id, m.created_at, m.seq, m.tenant_id from mailbox_search m
        where m.words @@ query offset 0
      ) f
      where f.tenant_id = in_tenant and f.mailbox_id = span.mailbox_id
        and (f.created_at, f.seq) < (before_at, before_seq) and f.created_at >= greatest(since_at, enough_at)
      order by f.created_at desc, f.seq desc limit most
    loop
      message_id := hit.message_id;
      mailbox_id := hit.mailbox_id;
      created_at := hit.created_at;
      seq := hit.seq;
      newest := newest || hit.created_at;
      return next;
    end loop;
    if cardinality(newest) >= most then
      newest := array(select n.at from unnest(newest) as n (at) order by n.at desc limit most);
      enough_at := newest[most];
    end if;
  end loop;
end $$;
