// Ends a message that the object store has lost, as after a database was put back to an earlier time.
import type { TenantOperator } from '../access/actor.ts'
import type { Database } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { deleteEntries } from './delete-entries.ts'
import { isOnItsWay, lockMessage, mailboxesOf } from './lock-message.ts'

/**
 * Deletes a message for good whose bytes are no longer in the store, with an event: its owners' copies go as well. False
 * when it is left: it is held, gone already, or still on its way, where it is built again. The repair is recorded as one.
 */
export function deleteLostMessage(database: Database, actor: TenantOperator, id: Uuid): Promise<boolean> {
  return database.transaction(async (tx) => {
    const message = await lockMessage(tx, actor, id)
    if (!message || message.held || message.gone !== null || (await isOnItsWay(tx, message))) return false
    const mailboxes = await mailboxesOf(tx, message)
    const entries = mailboxes.map((mailboxId) => ({ tenantId: message.tenantId, messageId: id, mailboxId }))
    await deleteEntries(tx, entries, 'deleted')
    return true
  })
}
