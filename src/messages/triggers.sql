-- Messages count as stored bytes of their tenant from when they have a size.
create or replace trigger messages_stored after insert on messages
  referencing new table as new_rows for each statement execute function stored_bytes_added();
create or replace trigger messages_resized after update on messages
  referencing old table as old_rows new table as new_rows for each statement execute function stored_bytes_changed();
create or replace trigger messages_removed after delete on messages
  referencing old table as old_rows for each statement execute function stored_bytes_removed();
