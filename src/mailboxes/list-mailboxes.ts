// The mailboxes of a tenant.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Mailbox } from './schemas.ts'

/** The tenant's mailboxes, by address. They belong to the tenant and show in each of its environments. */
export function listMailboxes(db: Db, actor: TenantActor): Promise<Mailbox[]> {
  assertMay(actor, 'readMailboxes')
  return db.rows(sql<Mailbox>`
    select id, address, display_name as "displayName" from mailboxes
    where tenant_id = ${actor.tenantId} order by address`)
}
