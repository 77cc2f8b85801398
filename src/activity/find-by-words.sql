-- Finds messages by words, newest first, up to `most`: those that have one word of each set. `words` are those of all sets,
-- `sets` says of which each is, `beginnings` whether it may be the beginning of another. `before_at` and `before_seq` are a place in
-- the order of pages, and what is given lies behind it, and is no older than `since_at`.
--
-- Goes back span by span, until there are enough: a span has few messages, and the index gives those of one span alone, however
-- many others have the word. Whoever asks looks whether a message may be shown.
create or replace function find_by_words(
  in_tenant uuid, in_environment uuid, words text[], sets integer[], beginnings boolean[], before_at timestamptz,
  before_seq bigint, since_at timestamptz, most integer
) returns table (message_id uuid, created_at timestamptz, seq bigint)
language plpgsql stable
-- The index on words, whatever the planner believes of a young table.
set enable_seqscan = off
as $$
declare
  span record;
  query tsquery;
  found_now integer;
  open integer := most;
begin
  for span in
    select s.id, s.begins_at from search_spans s
    where s.tenant_id = in_tenant and s.environment_id = in_environment and s.begins_at <= before_at
    order by s.begins_at desc
  loop
    select string_agg('(' || q.any_word || ')', ' & ')::tsquery into query
    from (
      select string_agg(
        '''' || to_hex(span.id) || '/' || replace(replace(w.word, '\', '\\'), '''', '''''') || '''' ||
          case when w.is_beginning then ':*' else '' end,
        ' | ') as any_word
      from unnest(words, sets, beginnings) as w (word, set, is_beginning)
      group by w.set
    ) q;
    return query
      select f.message_id, f.created_at, f.seq
      from (
        select m.message_id, m.created_at, m.seq, m.tenant_id, m.environment_id from message_search m
        where m.words @@ query offset 0
      ) f
      where f.tenant_id = in_tenant and f.environment_id = in_environment and (f.created_at, f.seq) < (before_at, before_seq)
        and f.created_at >= since_at
      order by f.created_at desc, f.seq desc limit open;
    get diagnostics found_now = row_count;
    open := open - found_now;
    exit when open <= 0 or span.begins_at <= since_at;
  end loop;
end $$;
