-- So many are kept of each message.
create index unread_reports_by_message on unread_reports (tenant_id, message_id);
