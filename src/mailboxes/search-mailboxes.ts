// Mailboxes by the beginning of their address, or one by its id, to whoever looks for something and does not know where it is.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** Behind every address that begins as another does. */
const LAST_CHARACTER = '\u{10ffff}'

/** Up to `limit`, by address in the order of its index, however many begin so. @throws Problem not_allowed */
export function searchMailboxes(
  db: Db,
  actor: TenantActor,
  { text, id }: { text: string; id: Uuid | null },
  limit: number,
): Promise<{ id: Uuid; address: string; displayName: string }[]> {
  assertMay(actor, 'readMailboxes')
  const beginning = text.toLowerCase()
  return db.rows(sql<{ id: Uuid; address: string; displayName: string }>`
    (
      select id, address, display_name as "displayName" from mailboxes
      where tenant_id = ${actor.tenantId} and ${id}::uuid is null
        and address ~>=~ ${beginning} and address ~<~ ${beginning + LAST_CHARACTER}
      order by address using ~<~ limit ${limit}
    )
    union all
    select id, address, display_name from mailboxes where tenant_id = ${actor.tenantId} and id = ${id}`)
}
