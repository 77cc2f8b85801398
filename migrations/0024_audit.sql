-- What the page of the audit log stands on.

-- Of a person or a mailbox user: the login as it was. Whoever has left the tenant is forgotten in the table of users.
alter table audit_log add column actor_name text;
-- What an operation was asked about, where its name and resource do not say: the filters of an export.
alter table audit_log add column details jsonb;

-- Each page walks back along the index that has the fewest records beside those that are looked for.
drop index audit_log_by_tenant;
create index audit_log_by_tenant on audit_log (tenant_id, at desc, id desc);
create index audit_log_by_operation on audit_log (tenant_id, operation, at desc, id desc);
create index audit_log_by_resource on audit_log (tenant_id, resource_id, at desc, id desc) where resource_id is not null;
create index audit_log_by_people on audit_log (tenant_id, at desc, id desc) where app_id is null;
-- For the sweep, and for the operator's view of all tenants. Of an expression, so that no page of one tenant walks along it
-- through the records of all.
drop index audit_log_by_age;
create index audit_log_by_age on audit_log ((at at time zone 'UTC'), id);
