-- Finds the job of a subject in a lane; null when it has none. No index of jobs has their subject, as each would cost every
-- job: one in a worker's hands is among the few of its lane, and the others lie soon after `since`, the moment at which
-- whatever enqueued it began. What is not found there is looked for among all of the tenant's. (The settings: claim-jobs.sql.)
create or replace function find_job(
  of_queue text, of_tenant uuid, of_lane uuid, of_subject uuid, since timestamptz
) returns bigint language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set enable_sort = off set enable_incremental_sort = off set plan_cache_mode = force_generic_plan set jit = off
as $$
declare
  -- Between the moment and the job.
  soon constant interval := '10 seconds';
begin
  return (
    select found.id
    from (
      (
        select j.id from jobs j
        where j.queue = of_queue and j.state = 'leased' and j.tenant_id = of_tenant and j.lane = of_lane
          and j.subject_id = of_subject
        limit 1
      )
      union all
      -- Never put off: due when it was made.
      (
        select j.id from jobs j
        where j.queue = of_queue and j.state = 'ready' and j.tenant_id = of_tenant and j.lane = of_lane
          and j.due_at >= since and j.due_at < since + soon and j.subject_id = of_subject
        order by j.due_at, j.id limit 1
      )
      union all
      (
        select j.id from jobs j
        where j.queue = of_queue and j.state = 'held' and j.tenant_id = of_tenant and j.lane = of_lane
          and j.due_at >= since and j.due_at < since + soon and j.subject_id = of_subject
        order by j.due_at, j.id limit 1
      )
      union all
      -- Put off, whether it is due again or not.
      (
        select j.id from jobs j
        where j.queue = of_queue and j.due_at > j.created_at and j.created_at >= since and j.created_at < since + soon
          and j.tenant_id = of_tenant and j.lane = of_lane and j.subject_id = of_subject
        order by j.created_at limit 1
      )
      union all
      (
        select j.id from jobs j
        where j.tenant_id = of_tenant and j.queue = of_queue and j.lane = of_lane and j.subject_id = of_subject
        order by j.id limit 1
      )
      limit 1
    ) found
  );
end $$;
