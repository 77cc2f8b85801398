// A mailbox with all that is kept of it.
import { sql, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import type { Mailbox } from './schemas.ts'

export interface StoredMailbox extends Mailbox {
  tenantId: Uuid
  status: 'active' | 'suspended'
}

/** Locks the mailbox for a change. Undefined when the tenant has none of the id. */
export function lockMailbox(tx: Tx, tenantId: Uuid, id: Uuid): Promise<StoredMailbox | undefined> {
  return tx.first(sql<StoredMailbox>`
    select tenant_id as "tenantId", id, address, display_name as "displayName", status
    from mailboxes where tenant_id = ${tenantId} and id = ${id} for update`)
}
