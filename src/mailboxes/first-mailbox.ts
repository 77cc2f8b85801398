// A mailbox to send from, for whoever shows how to send.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** The tenant's oldest that may send; undefined when there is none. */
export function firstMailbox(db: Db, actor: TenantActor): Promise<{ id: Uuid; address: string } | undefined> {
  assertMay(actor, 'readMailboxes')
  return db.first(sql<{ id: Uuid; address: string }>`
    select id, address from mailboxes where tenant_id = ${actor.tenantId} and status = 'active' order by id limit 1`)
}
