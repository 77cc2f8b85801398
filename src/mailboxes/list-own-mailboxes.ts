// The mailboxes that a user has in the webmail.
import type { MailboxUser } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

export interface OwnMailbox {
  id: Uuid
  address: string
  name: string
  access: 'read' | 'write'
}

/** By address. */
export async function listOwnMailboxes(db: Db, actor: MailboxUser): Promise<OwnMailbox[]> {
  assertMay(actor, 'readMailboxes')
  const rows = await db.rows(sql<Omit<OwnMailbox, 'access'>>`
    select id, address, display_name as name from mailboxes
    where tenant_id = ${actor.tenantId} and id = any (${[...actor.mailboxes.keys()]}::uuid[])
    order by address`)
  return rows.map((row) => ({ ...row, access: actor.mailboxes.get(row.id) as OwnMailbox['access'] }))
}
