-- Settles jobs whose claim still holds, and gives the ids of those. Takes of each: tenant_id, id, claim, kind, and
--   done
--   deadLetter  reason
--   putBack     due_in_ms; keep_receptions: false begins the budget anew; payload: absent leaves it as it is;
--               resumable_in_ms: when it may be made due before (resume-jobs.sql), absent means not at all
--   giveBack    as if it had not been handed out; due_in_ms: absent means now
--
-- A renewal that commits while this waits for its row gives the job another place, where this statement does not see
-- it. So whoever missed some looks again. What was lost here would be done again when its lease has run out.
--
-- The claim is asked for once more where the row is changed: a server older than the minor releases of autumn 2025 follows
-- a place to wherever the job has gone meanwhile, and so to whoever has claimed it then. (The settings: claim-jobs.sql.)
create or replace function settle_jobs(settlements json) returns setof bigint language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan set jit = off
as $$
declare
  missing bigint := json_array_length(settlements);
  settled bigint;
  again boolean := false;
begin
  loop
    return query
    with held as materialized (
      select found.place, s.claim, s.kind, s.reason, s.due_in_ms, s.keep_receptions, s.payload,
        s.resumable_in_ms
      from json_to_recordset(settlements) as s (tenant_id uuid, id bigint, claim uuid, kind text, reason text,
        due_in_ms bigint, keep_receptions boolean, payload jsonb, resumable_in_ms bigint)
      cross join lateral (
        select j.ctid as place from jobs j where j.tenant_id = s.tenant_id and j.id = s.id and j.claim = s.claim
        offset 0
      ) found
    ),
    removed as (
      delete from jobs j using held
      where j.ctid = held.place and j.claim = held.claim and held.kind in ('done', 'deadLetter')
      returning j.tenant_id, j.id, j.queue, j.lane, j.subject_id, j.payload, j.receptions, held.kind, held.reason
    ),
    dead_lettered as (
      insert into dead_letters (tenant_id, id, queue, lane, subject_id, payload, reason, receptions)
      select r.tenant_id, r.id, r.queue, r.lane, r.subject_id, r.payload, r.reason, r.receptions
      from removed r where r.kind = 'deadLetter'
    ),
    returned as (
      update jobs j
      set claim = null, leased_until = null, state = case when held.due_in_ms > 0 then 'scheduled' else 'ready' end,
        due_at = clock_timestamp() + coalesce(held.due_in_ms, 0) * interval '1 millisecond',
        resumable_at = clock_timestamp() + held.resumable_in_ms * interval '1 millisecond',
        receptions = case when held.kind = 'giveBack' then j.receptions - 1
          when held.keep_receptions then j.receptions else 0 end,
        payload = coalesce(held.payload, j.payload)
      from held
      where j.ctid = held.place and j.claim = held.claim and held.kind in ('putBack', 'giveBack')
      returning j.id
    )
    select r.id from removed r union all select r.id from returned r;
    get diagnostics settled = row_count;
    missing := missing - settled;
    exit when missing = 0 or settled = 0 and again;
    again := true;
  end loop;
end $$;
