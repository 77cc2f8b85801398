// Deletes all that lies in a folder of a user's mailboxes for good, one batch at a time. specification.md#filing-in-the-webmail
import type { MailboxUser } from '../../access/actor.ts'
import { assertMay } from '../../access/permissions.ts'
import type { Database } from '../../lib/sql.ts'
import { type DeletionResult, deleteFromPlace } from './delete-for-good.ts'
import { lookUpByKeys } from './look-up-by-keys.ts'
import { type FolderSelection, walkFolder } from './walk-folder.ts'
import { writableMailboxes } from './writable-mailboxes.ts'

/** `nextCursor`: of the next batch; null when it was the last. @throws Problem as walkFolder and writableMailboxes */
export function deleteFolder(
  database: Database,
  actor: MailboxUser,
  selection: FolderSelection,
): Promise<DeletionResult & { nextCursor: string | null }> {
  assertMay(actor, 'endMessages')
  const mailboxIds = writableMailboxes(actor, selection.mailbox)
  return database.transaction(async (tx) => {
    const { ids, nextCursor } = await walkFolder(tx, actor, mailboxIds, selection)
    await lookUpByKeys(tx)
    return { ...(await deleteFromPlace(tx, actor, ids, { mailboxIds, folder: selection.folder })), nextCursor }
  })
}
