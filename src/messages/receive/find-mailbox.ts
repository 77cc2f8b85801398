// Who receives at an address.
import { type Db, sql } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'

export interface MailboxTarget {
  tenantId: Uuid
  mailboxId: Uuid
  /** Its tenant is. */
  isSuspended: boolean
}

/** The active mailbox of an address, in whatever case it is written. */
export function findMailbox(db: Db, address: string): Promise<MailboxTarget | undefined> {
  return db.first(sql<MailboxTarget>`
    select b.tenant_id as "tenantId", b.id as "mailboxId", t.status <> 'active' as "isSuspended"
    from mailboxes b join tenants t on t.id = b.tenant_id
    where b.address = ${address.toLowerCase()} and b.status = 'active'`)
}
