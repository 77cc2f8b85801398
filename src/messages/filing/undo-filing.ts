// Takes back what was filed or flagged: puts entries back as they were. specification.md#filing-in-the-webmail
import type { MailboxUser } from '../../access/actor.ts'
import { assertMay } from '../../access/permissions.ts'
import { absent, type FieldFault, invalidFields } from '../../access/problem.ts'
import type { Database } from '../../lib/sql.ts'
import type { EntryRef } from '../change-entries.ts'
import { fileEntries, recordFiling } from './file-messages.ts'
import type { FormerEntry } from './filing-action.ts'
import { lookUpByKeys } from './look-up-by-keys.ts'
import { readOnly } from './writable-mailboxes.ts'

/**
 * Gives how many entries were changed by it. What is gone meanwhile is passed over, as is what is so already.
 * @throws Problem not_found for a mailbox that is not the user's, not_allowed for one that the user may only read;
 * validation_error where an entry is named twice
 */
export async function undoFiling(
  database: Database,
  actor: MailboxUser,
  given: readonly FormerEntry[],
): Promise<{ changed: number }> {
  assertMay(actor, 'fileMessages')
  const entries = given.map((entry) => {
    return { ...entry, messageId: entry.messageId.toLowerCase(), mailboxId: entry.mailboxId.toLowerCase() }
  })
  const formerOf = new Map<string, Partial<FormerEntry>>(entries.map((entry) => [keyOf(entry), entry]))
  if (formerOf.size < entries.length) throw invalidFields(duplicatesIn(entries))
  const mailboxIds = [...new Set(entries.map(({ mailboxId }) => mailboxId))]
  for (const id of mailboxIds) {
    const access = actor.mailboxes.get(id)
    if (!access) throw absent('mailbox')
    if (access !== 'write') throw readOnly()
  }
  return database.transaction(async (tx) => {
    await lookUpByKeys(tx)
    const ids = entries.map(({ messageId }) => messageId)
    const filed = await fileEntries(tx, actor, ids, { mailboxIds }, (entry) => {
      const { messageId: _message, mailboxId: _mailbox, ...former } = formerOf.get(keyOf(entry)) ?? {}
      return former
    })
    await recordFiling(tx, actor, filed, { action: 'undo' })
    return { changed: filed.changed }
  })
}

const keyOf = ({ messageId, mailboxId }: EntryRef) => `${messageId} ${mailboxId}`

function duplicatesIn(entries: readonly EntryRef[]): FieldFault[] {
  const seen = new Set<string>()
  return entries.flatMap((entry, i): FieldFault[] => {
    if (!seen.has(keyOf(entry))) {
      seen.add(keyOf(entry))
      return []
    }
    return [{ path: `entries[${i}]`, code: 'duplicate', message: 'The entry is named before: name it once.' }]
  })
}
