// Ends a message that the object store has lost, as after a database was put back to an earlier time.
import type { Tx } from '../lib/sql.ts'
import { deleteEntries } from './delete-entries.ts'
import { isOnItsWay, lockForOperator, type MessageRef, mailboxesOf } from './lock-message.ts'

/**
 * Deletes a message for good whose bytes are no longer in the store, with an event: its owners' copies go as well. False
 * when it is left: it is held, gone already, or still on its way, where it is built again.
 */
export async function deleteLostMessage(tx: Tx, message: MessageRef): Promise<boolean> {
  const found = await lockForOperator(tx, message.id)
  if (!found || found.held || found.gone !== null || (await isOnItsWay(tx, message))) return false
  const mailboxes = await mailboxesOf(tx, message)
  const entries = mailboxes.map((mailboxId) => ({ tenantId: message.tenantId, messageId: message.id, mailboxId }))
  await deleteEntries(tx, entries, 'deleted')
  return true
}
