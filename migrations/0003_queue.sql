-- The work queue: what waits to be done, what is being done, and what died. Knows nothing of mail.
--
-- A writer of another feature may enqueue within its own statement:
--   insert into jobs (tenant_id, queue, lane, subject_id) select …
-- The rest has defaults that mean: due now. And it records a job's result in the transaction in which settle_jobs
-- names that job, and only then.

create table jobs (
  tenant_id uuid not null,
  id bigint generated always as identity,
  queue text not null,
  -- Whose turn it takes: work is shared over lanes, and each lane has a cap on what is in flight.
  lane uuid not null,
  -- What it is about: the consumer's own record.
  subject_id uuid not null,
  payload jsonb,
  -- scheduled: waits for its due time. ready: due. leased: in a worker's hands until leased_until.
  -- held: due, while its lane waits.
  -- A job is made ready when it falls due, so that the scan over lanes meets due work only.
  state text not null default 'ready' check (state in ('scheduled', 'ready', 'leased', 'held')),
  due_at timestamptz not null default clock_timestamp(),
  -- Put off until something is back that many wait for: from then on it may be made due once that is so, whatever due_at says.
  resumable_at timestamptz,
  -- How often it was handed to a worker and not given back unharmed.
  receptions integer not null default 0 check (receptions >= 0),
  -- The token of the claim that holds it. Whoever records a result names it.
  claim uuid,
  leased_until timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id),
  check ((state = 'leased') = (claim is not null)),
  check ((state = 'leased') = (leased_until is not null))
) with (
  -- Every job leaves three dead rows behind. Vacuum early and at full speed, so that a queue that never rests
  -- stays as small as its backlog. Truncation would take an exclusive lock, and the space is wanted again.
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_threshold = 2000,
  autovacuum_vacuum_insert_scale_factor = 0.1,
  autovacuum_analyze_scale_factor = 0.1,
  autovacuum_analyze_threshold = 2000,
  autovacuum_vacuum_cost_delay = 0,
  vacuum_truncate = off
);
create index jobs_ready on jobs (queue, tenant_id, lane, due_at, id) where state = 'ready';
create index jobs_held on jobs (queue, tenant_id, lane, due_at, id) where state = 'held';
create index jobs_scheduled on jobs (queue, due_at) where state = 'scheduled';
create index jobs_resumable on jobs (queue, tenant_id, lane, resumable_at) where state = 'scheduled' and resumable_at is not null;
-- Which of those that were not due when they were made, or were put off, is the oldest. The others have no entry here.
create index jobs_put_off on jobs (queue, created_at) where due_at > created_at;
-- Entries of one lane are not merged into one: a merged entry is looked through for as long as any of its jobs is in flight.
create index jobs_leased on jobs (queue, tenant_id, lane) with (deduplicate_items = off) where state = 'leased';
-- Says the same as the one above in other words (a check ties them), so that neither can stand in for the other.
create index jobs_expiring on jobs (queue, leased_until) where leased_until is not null;
-- What was handed out and waits again: of what goes well the first time there is none.
create index jobs_received on jobs (tenant_id, subject_id) where receptions > 0 and claim is null;

-- Lanes whose cap differs from their queue's, such as a receiver that is failing. The others have no row.
create table lane_caps (
  tenant_id uuid not null,
  queue text not null,
  lane uuid not null,
  cap integer not null check (cap > 0),
  primary key (tenant_id, queue, lane)
);

-- Lanes with a cap of their own that wait, or have waited and not got through since. Without a cap of its own a lane does not
-- wait.
create table held_lanes (
  tenant_id uuid not null,
  queue text not null,
  lane uuid not null,
  -- Nothing of the lane is handed out before. -infinity: its wait was ended, and all that is held goes on.
  held_until timestamptz not null,
  -- When a claim looks whether something that is held goes on; null while nothing is.
  release_at timestamptz,
  primary key (tenant_id, queue, lane)
) with (fillfactor = 50);
create index held_lanes_release on held_lanes (queue, release_at) where release_at is not null;

create table dead_letters (
  tenant_id uuid not null,
  -- The job's. A replay makes a new job.
  id bigint not null unique,
  queue text not null,
  lane uuid not null,
  subject_id uuid not null,
  payload jsonb,
  reason text not null,
  receptions integer not null,
  dead_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id)
);
create index dead_letters_by_queue on dead_letters (queue, dead_at desc, id desc);
create index dead_letters_by_age on dead_letters (dead_at desc, id desc);
