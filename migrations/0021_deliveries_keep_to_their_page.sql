-- An update of a delivery keeps to its page (HOT) when no index names a column that it changes. What is pending for an
-- endpoint is found by its jobs.
drop index webhook_deliveries_pending;
