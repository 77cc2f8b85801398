// Files and flags messages in a user's mailboxes, one or many, and gives what takes it back.
// specification.md#filing-in-the-webmail
import type { MailboxUser } from '../../access/actor.ts'
import { assertMay } from '../../access/permissions.ts'
import { recordAct } from '../../audit/record.ts'
import type { Database, Tx } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'
import { type ChangedEntry, changeEntries, type EntryChange } from '../change-entries.ts'
import { chooseMessages, type MessageSelection } from './choose-messages.ts'
import { changeBy, difference, type FiledEntry, type FilingAction, type FormerEntry } from './filing-action.ts'
import { type FilingPlace, holdToFile, lockEntries } from './lock-entries.ts'
import { lookUpByKeys } from './look-up-by-keys.ts'

export interface FilingResult {
  /** How many entries are not as they were. */
  changed: number
  undo: FormerEntry[]
}

/** @throws Problem as chooseMessages */
export function fileMessages(
  database: Database,
  actor: MailboxUser,
  action: FilingAction,
  selection: MessageSelection,
): Promise<FilingResult> {
  assertMay(actor, 'fileMessages')
  return database.transaction(async (tx) => {
    await lookUpByKeys(tx)
    // A star is of the message that it was given to; to take it away is to take away all that show on the conversation.
    const wholeConversations = selection.wholeConversations && action !== 'star'
    const { ids, mailboxIds } = await chooseMessages(tx, actor, { ...selection, wholeConversations })
    const filed = await fileEntries(tx, actor, ids, { mailboxIds, folder: selection.folder }, () => changeBy(action))
    await recordFiling(tx, actor, filed, { action, folder: selection.folder })
    return filed
  })
}

/** What of these messages lies in a place becomes what `asked` says of each entry; undefined: it stays as it is. */
export async function fileEntries(
  tx: Tx,
  actor: MailboxUser,
  ids: readonly Uuid[],
  place: FilingPlace,
  asked: (entry: FiledEntry) => EntryChange | undefined,
): Promise<FilingResult> {
  const held = await holdToFile(tx, actor, ids)
  const changes: ChangedEntry[] = []
  const undo: FormerEntry[] = []
  for (const entry of await lockEntries(tx, actor, held, place)) {
    const made = difference(entry, asked(entry) ?? {})
    if (!made) continue
    const { messageId, mailboxId } = entry
    changes.push({ messageId, mailboxId, change: made.change })
    undo.push({ messageId, mailboxId, ...made.former })
  }
  if (changes.length > 0) await changeEntries(tx, actor, changes)
  return { changed: changes.length, undo }
}

/** One record of all of it, with the message where it is one; none where nothing has changed. */
export async function recordFiling(
  tx: Tx,
  actor: MailboxUser,
  { changed, undo }: FilingResult,
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (changed === 0) return
  const ids = new Set(undo.map(({ messageId }) => messageId))
  const resourceId = ids.size === 1 ? (undo[0]?.messageId ?? null) : null
  await recordAct(tx, actor, {
    operation: resourceId === null ? 'messages.file' : 'updateMessage',
    resourceType: 'message',
    resourceId,
    details: { ...details, messages: ids.size, entries: changed },
  })
}
