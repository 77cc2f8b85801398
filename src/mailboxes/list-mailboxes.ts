// The mailboxes of a tenant.
import type { Principal } from '../access/principal.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Mailbox } from './schemas.ts'

/** The tenant's mailboxes, by address. They belong to the tenant and show in each of its environments. */
export function listMailboxes(db: Db, principal: Principal): Promise<Mailbox[]> {
  return db.rows(sql<Mailbox>`
    select id, address, display_name as "displayName" from mailboxes
    where tenant_id = ${principal.tenantId} order by address`)
}
