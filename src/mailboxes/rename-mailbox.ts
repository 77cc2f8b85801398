// Changes the name that a mailbox shows.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { absent } from '../access/problem.ts'
import { type Database, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { checkDisplayName } from './display-name.ts'
import { reportMailbox } from './report-mailbox.ts'
import { lockMailbox } from './stored-mailbox.ts'

/** Succeeds when it is called so already, and then reports nothing. @throws Problem not_found, validation_error */
export async function renameMailbox(
  database: Database,
  actor: TenantActor,
  id: Uuid,
  displayName: string,
): Promise<void> {
  assertMay(actor, 'manageMailboxes')
  checkDisplayName(displayName)
  await database.transaction(async (tx) => {
    const mailbox = await lockMailbox(tx, actor.tenantId, id)
    if (!mailbox) throw absent('mailbox')
    if (mailbox.displayName === displayName) return
    await tx.rows(sql`
      update mailboxes set display_name = ${displayName} where tenant_id = ${mailbox.tenantId} and id = ${id}`)
    await reportMailbox(tx, actor, { ...mailbox, displayName }, 'mailbox.updated', 'mailbox.update')
  })
}
