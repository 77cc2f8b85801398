-- Keeps what was said at tries to submit messages. Takes of each: tenant_id, message_id, result, answers, next_in_ms; of one
-- message one. A try at which the same was said as at the one before counts in that one's row; else, of a message that has
-- `most` rows, the oldest but the first makes room. What is said of a message that is gone is not kept. Their instant is
-- that of the transaction, before whatever it appends to the log. (The settings: claim-jobs.sql.)
create or replace function record_tries(tries json, most integer) returns void language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan set jit = off
as $$
begin
  with given as materialized (
    select g.tenant_id, g.message_id, g.result, g.answers, now() + g.next_in_ms * interval '1 millisecond' as next_at,
      last.number, last.times, last.result = g.result and last.answers::text = g.answers::text as is_same
    from json_to_recordset(tries) as g (tenant_id uuid, message_id uuid, result text, answers json, next_in_ms bigint)
    cross join lateral (
      select from message_states s where s.tenant_id = g.tenant_id and s.message_id = g.message_id limit 1
    ) there
    left join lateral (
      select t.number, t.times, t.result, t.answers from submission_tries t
      where t.tenant_id = g.tenant_id and t.message_id = g.message_id
      order by t.number desc limit 1
    ) last on true
  ),
  counted as (
    update submission_tries t set times = t.times + 1, last_at = now(), next_attempt_at = g.next_at
    from given g
    where g.is_same and t.tenant_id = g.tenant_id and t.message_id = g.message_id and t.number = g.number
  ),
  dropped as (
    delete from submission_tries t
    using given g
    cross join lateral (
      select k.number, count(*) over () as kept from submission_tries k
      where k.tenant_id = g.tenant_id and k.message_id = g.message_id
      order by k.number limit 1 offset 1
    ) second
    where g.is_same is not true and g.number + g.times > most and second.kept >= most
      and t.tenant_id = g.tenant_id and t.message_id = g.message_id and t.number = second.number
  )
  insert into submission_tries (tenant_id, message_id, number, first_at, last_at, result, answers, next_attempt_at)
  select g.tenant_id, g.message_id, coalesce(g.number + g.times, 1), now(), now(), g.result, g.answers, g.next_at
  from given g where g.is_same is not true;
end $$;
