-- Begins an epoch of the feed above `above`, unless the epoch is not `known` any more. Gives the epoch that holds then.
--
-- Who is writing events is waited for, and who is about to waits: whatever the old epoch is to have is there when the new
-- one begins. Epochs are seconds since 2020 where the clock lets them, so that none is used twice when the database is put
-- back to a time before one began.
create or replace function begin_feed_epoch(known integer, above integer) returns integer language plpgsql as $$
begin
  lock table events in share row exclusive mode;
  update feed_epoch
  set epoch = greatest(above + 1, extract(epoch from clock_timestamp() - timestamptz '2020-01-01 00:00Z')::integer),
    server_started_at = pg_postmaster_start_time()
  where epoch = known;
  return (select epoch from feed_epoch);
end $$;
