-- Messages count as stored bytes of their tenant from when they have a size. (A received message is counted by the statement
-- that writes it.)
create or replace trigger messages_removed after delete on messages
  referencing old table as old_rows for each statement execute function stored_bytes_removed();
create or replace trigger message_states_resized after update on message_states
  referencing old table as old_rows new table as new_rows for each statement execute function stored_bytes_changed();
create or replace trigger message_states_removed after delete on message_states
  referencing old table as old_rows for each statement execute function stored_bytes_removed();
