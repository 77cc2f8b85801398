// Locks what messages that end share with others.
import { sql, type Tx } from '../lib/sql.ts'
import type { MessageRef } from './lock-message.ts'

/**
 * In an order that all keep. A send that takes one of the attachments at this moment, or the removal of another message that
 * has it, is waited for, and so is mail that comes in for the tenant; the next statement sees what came of it. The counters
 * of stored bytes are locked here also as the removal would otherwise take them twice, each time from the start.
 */
export async function lockShared(tx: Tx, messages: readonly MessageRef[]): Promise<void> {
  const tenants = messages.map((m) => m.tenantId)
  const ids = messages.map((m) => m.id)
  await tx.rows(sql`
    select a.id from attachments a
    where (a.tenant_id, a.id) in (
      select h.tenant_id, h.attachment_id from message_attachments h
      join unnest(${tenants}::uuid[], ${ids}::uuid[]) as n (tenant_id, id)
        on h.tenant_id = n.tenant_id and h.message_id = n.id)
    order by a.tenant_id, a.id for update`)
  await tx.rows(sql`
    select tenant_id from tenant_storage where tenant_id = any(${tenants}::uuid[])
    order by tenant_id for no key update`)
}
