-- Attachments count as stored bytes of their tenant.
create or replace trigger attachments_stored after insert on attachments
  referencing new table as new_rows for each statement execute function stored_bytes_added();
create or replace trigger attachments_removed after delete on attachments
  referencing old table as old_rows for each statement execute function stored_bytes_removed();
