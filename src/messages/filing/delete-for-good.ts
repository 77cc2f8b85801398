// Deletes messages from a user's mailboxes for good, one or many. It is the deletion of the trash's sweep and of the command:
// each message goes once, with one event, whoever else deletes it. specification.md#filing-in-the-webmail
import type { MailboxUser } from '../../access/actor.ts'
import { assertMay } from '../../access/permissions.ts'
import { recordAct } from '../../audit/record.ts'
import type { Database, Tx } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'
import { deleteEntries } from '../delete-entries.ts'
import { chooseMessages, type MessageSelection } from './choose-messages.ts'
import { type FilingPlace, holdToEnd, lockEntries } from './lock-entries.ts'
import { lookUpByKeys } from './look-up-by-keys.ts'

export interface DeletionResult {
  /** How many messages lie there no more. */
  deleted: number
  /** How many are left: somebody is still to get them. */
  waiting: number
}

/** @throws Problem as chooseMessages */
export function deleteForGood(
  database: Database,
  actor: MailboxUser,
  selection: MessageSelection,
): Promise<DeletionResult> {
  assertMay(actor, 'endMessages')
  return database.transaction(async (tx) => {
    await lookUpByKeys(tx)
    const { ids, mailboxIds } = await chooseMessages(tx, actor, selection)
    return deleteFromPlace(tx, actor, ids, { mailboxIds, folder: selection.folder })
  })
}

/** Deletes what of these messages lies in a place, and records it once: with the message where it is one. */
export async function deleteFromPlace(
  tx: Tx,
  actor: MailboxUser,
  ids: readonly Uuid[],
  place: FilingPlace,
): Promise<DeletionResult> {
  const { tenantId } = actor
  const held = await holdToEnd(tx, actor, ids)
  const onTheirWay = new Set(held.filter(({ isOnItsWay }) => isOnItsWay).map(({ id }) => id))
  const lying = await lockEntries(
    tx,
    actor,
    held.map(({ id }) => id),
    place,
  )
  const ending = lying.filter(({ messageId }) => !onTheirWay.has(messageId))
  const gone = [...new Set(ending.map(({ messageId }) => messageId))]
  if (ending.length > 0) {
    await deleteEntries(
      tx,
      ending.map(({ messageId, mailboxId }) => ({ tenantId, messageId, mailboxId })),
      'deleted',
    )
    await recordAct(tx, actor, {
      operation: gone.length === 1 ? 'message.delete' : 'messages.delete',
      resourceType: 'message',
      resourceId: gone.length === 1 ? (gone[0] ?? null) : null,
      details: { folder: place.folder, messages: gone.length, entries: ending.length },
    })
  }
  const left = new Set(lying.filter(({ messageId }) => onTheirWay.has(messageId)).map(({ messageId }) => messageId))
  return { deleted: gone.length, waiting: left.size }
}
