-- When an upload was completed: its attachment may be gone since, and does not come back by completing it once more. Of
-- those that are remembered the audit log knows it, also of those whose attachment is gone.
alter table uploads add column completed_at timestamptz;
update uploads u set completed_at = coalesce(a.created_at, l.at)
from audit_log l left join attachments a on a.tenant_id = l.tenant_id and a.id = l.resource_id
where l.tenant_id = u.tenant_id and l.resource_id = u.id and l.operation = 'completeAttachmentUpload'
  and l.at >= (select min(created_at) from uploads);
