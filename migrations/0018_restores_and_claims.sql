-- Whatever puts a cluster back to an earlier state – a copy of its folder, a recovery to a point in time, a standby that
-- lags behind – ends with a server being started, and transaction ids are given out again. So each start begins an epoch.
alter table feed_epoch drop column system_identifier;
alter table feed_epoch add column server_started_at timestamptz not null default '-infinity';
insert into feed_epoch (epoch) values (0) on conflict do nothing;

-- Begins an epoch above `above`, unless the epoch is no longer `known`. Gives the epoch that holds then.
--
-- Who is writing events is waited for, and who is about to waits: whatever the old epoch is to have is there when the new
-- one begins. Epochs are seconds since 2020 where the clock lets them, so that none is used twice when the database is put
-- back to a time before one began.
create function begin_feed_epoch(known integer, above integer) returns integer language plpgsql as $$
begin
  lock table events in share row exclusive mode;
  update feed_epoch
  set epoch = greatest(above + 1, extract(epoch from clock_timestamp() - timestamptz '2020-01-01 00:00Z')::integer),
    server_started_at = pg_postmaster_start_time()
  where epoch = known;
  return (select epoch from feed_epoch);
end $$;
