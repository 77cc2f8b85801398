-- Events are delivered to the endpoints that hear them, in the transaction that writes them (deliver-events.sql).
create or replace trigger events_are_delivered after insert on events
  referencing new table as new_events for each statement execute function deliver_events();
