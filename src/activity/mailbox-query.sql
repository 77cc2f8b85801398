-- What a message in one span of a mailbox must have to be found: all of `words`, of which `beginnings` may be the beginning of
-- another, and none of those that `exclusions` says.
create or replace function mailbox_query(span_id bigint, words text[], beginnings boolean[], exclusions boolean[]) returns tsquery
language sql immutable
as $$
  select string_agg(
    case when w.is_excluded then '!' else '' end || '''' || to_hex(span_id) || '/' ||
      replace(replace(w.word, '\', '\\'), '''', '''''') || '''' || case when w.is_beginning then ':*' else '' end,
    ' & ')::tsquery
  from unnest(words, beginnings, exclusions) as w (word, is_beginning, is_excluded)
$$;
