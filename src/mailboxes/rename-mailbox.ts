// Changes the name that a mailbox shows.
import { absent } from '../access/problem.ts'
import { type Database, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { checkDisplayName } from './display-name.ts'
import { reportMailbox } from './report-mailbox.ts'
import { lockMailbox } from './stored-mailbox.ts'

/** Succeeds when it is called so already, and then reports nothing. @throws Problem not_found, validation_error */
export async function renameMailbox(database: Database, id: Uuid, displayName: string): Promise<void> {
  checkDisplayName(displayName)
  await database.transaction(async (tx) => {
    const mailbox = await lockMailbox(tx, id)
    if (!mailbox) throw absent('mailbox')
    if (mailbox.displayName === displayName) return
    await tx.rows(sql`
      update mailboxes set display_name = ${displayName} where tenant_id = ${mailbox.tenantId} and id = ${id}`)
    await reportMailbox(tx, { ...mailbox, displayName }, 'mailbox.updated', 'mailbox.update')
  })
}
