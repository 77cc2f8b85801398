// Ends a message because an address that it names is erased: as its users would delete it, and its events forget what they
// told of it.
import type { TenantOperator } from '../access/actor.ts'
import { eraseEventsOfMessage } from '../events/erase-events.ts'
import type { Database } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { cancelMessage } from './cancel-message.ts'
import { deleteEntries } from './delete-entries.ts'
import { endMessages } from './end-messages.ts'
import { isOnItsWay, lockMessage, mailboxesOf } from './lock-message.ts'
import { removeReportsOf } from './receive/unread-reports.ts'

/** `held`: it shows nowhere, and a legal hold keeps it; `under_way`: a worker has it at this moment, ask again; `absent`: it was gone. */
export type Erased = 'erased' | 'held' | 'under_way' | 'absent'

/** Cancels it first while it waits. Its message.deleted is appended without what it said, and commits with its end. */
export async function eraseMessage(database: Database, actor: TenantOperator, id: Uuid): Promise<Erased> {
  // One that is not on its way has nothing to cancel, and one that a worker has is seen below.
  await cancelMessage(database, actor, id).catch(ignoreRefusals)
  return database.transaction(async (tx) => {
    const message = await lockMessage(tx, actor, id)
    if (!message) return 'absent'
    if (message.gone === null && (await isOnItsWay(tx, message))) return 'under_way'
    if (message.gone === null) {
      const mailboxes = await mailboxesOf(tx, message)
      const entries = mailboxes.map((mailboxId) => ({ tenantId: message.tenantId, messageId: id, mailboxId }))
      if (entries.length > 0) await deleteEntries(tx, entries, 'deleted')
      else await endMessages(tx, [message], 'deleted')
    }
    await removeReportsOf(tx, message)
    await eraseEventsOfMessage(tx, message.tenantId, id)
    return message.held ? 'held' : 'erased'
  })
}

const REFUSALS = new Set(['not_found', 'not_on_its_way', 'being_submitted'])

function ignoreRefusals(error: unknown): void {
  if (!REFUSALS.has((error as { code?: string }).code ?? '')) throw error
}
