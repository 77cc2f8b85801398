// Ends an attachment that the object store has lost, as after a database was put back to an earlier time.
import type { TenantOperator } from '../access/actor.ts'
import { type Database, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** False when a message has it: that is whole without; or a draft that took it a moment ago. The repair is recorded as one. */
export function removeLostAttachment(database: Database, actor: TenantOperator, id: Uuid): Promise<boolean> {
  const { tenantId, environmentId } = actor
  return database.transaction(async (tx) => {
    await tx.rows(sql`
      select id from attachments
      where tenant_id = ${tenantId} and environment_id = ${environmentId} and id = ${id} for update`)
    const gone = await tx.rows(sql<{ id: Uuid }>`
      delete from attachments a
      where a.tenant_id = ${tenantId} and a.environment_id = ${environmentId} and a.id = ${id}
        and not exists (select from message_attachments h where h.tenant_id = a.tenant_id and h.attachment_id = a.id)
        and not exists (select from draft_attachments d where d.tenant_id = a.tenant_id and d.attachment_id = a.id)
      returning a.id`)
    return gone.length > 0
  })
}
