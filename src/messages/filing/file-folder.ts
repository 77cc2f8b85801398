// Files and flags all that lies in a folder of a user's mailboxes, one batch at a time. specification.md#filing-in-the-webmail
import type { MailboxUser } from '../../access/actor.ts'
import { assertMay } from '../../access/permissions.ts'
import type { Database } from '../../lib/sql.ts'
import { type FilingResult, fileEntries, recordFiling } from './file-messages.ts'
import { changeBy, type FilingAction } from './filing-action.ts'
import { lookUpByKeys } from './look-up-by-keys.ts'
import { type FolderSelection, walkFolder } from './walk-folder.ts'
import { writableMailboxes } from './writable-mailboxes.ts'

/** `nextCursor`: of the next batch; null when it was the last. @throws Problem as walkFolder and writableMailboxes */
export function fileFolder(
  database: Database,
  actor: MailboxUser,
  action: FilingAction,
  selection: FolderSelection,
): Promise<FilingResult & { nextCursor: string | null }> {
  assertMay(actor, 'fileMessages')
  const mailboxIds = writableMailboxes(actor, selection.mailbox)
  const { folder } = selection
  return database.transaction(async (tx) => {
    const { ids, nextCursor } = await walkFolder(tx, actor, mailboxIds, selection)
    await lookUpByKeys(tx)
    const filed = await fileEntries(tx, actor, ids, { mailboxIds, folder }, () => changeBy(action))
    await recordFiling(tx, actor, filed, { action, folder })
    return { ...filed, nextCursor }
  })
}
