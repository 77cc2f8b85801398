// Has attachments looked at by the sweep again that may have lost the last thing that had them.
import { sql, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** The caller has locked them: no message and no draft takes or loses one meanwhile. */
export async function loosenAttachments(tx: Tx, tenantId: Uuid, ids: readonly Uuid[]): Promise<void> {
  await tx.rows(sql`
    update attachments a set is_loose = true
    where a.tenant_id = ${tenantId} and a.id = any(${ids}::uuid[]) and not a.is_loose
      and not exists (select from message_attachments h where h.tenant_id = a.tenant_id and h.attachment_id = a.id)`)
}
