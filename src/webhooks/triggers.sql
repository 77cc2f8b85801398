-- Events are delivered to the endpoints that hear them, in the transaction that writes them (deliver-events.sql).
create or replace trigger events_are_delivered after insert on events
  referencing new table as new_events for each statement execute function deliver_events();

-- Attempts go with their delivery (remove-attempts.sql).
create or replace trigger attempts_are_removed after delete on webhook_deliveries
  referencing old table as removed_deliveries for each statement execute function remove_attempts();
