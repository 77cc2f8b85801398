// Removes a message's content, in whichever mailboxes it is.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { recordAct } from '../audit/record.ts'
import type { Database } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { endMessages } from './end-messages.ts'
import { lockToEnd } from './lock-to-end.ts'

/** It shows nowhere from now on; a hold keeps its bytes. Succeeds when it is so already. @throws Problem as lockToEnd */
export async function purgeMessage(database: Database, actor: TenantActor, id: Uuid): Promise<void> {
  assertMay(actor, 'endMessages')
  await database.transaction(async (tx) => {
    const message = await lockToEnd(tx, actor, id)
    if (!message) return
    if (message.gone === null) await endMessages(tx, [message], 'purged')
    await recordAct(tx, actor, { operation: 'message.purge', resourceType: 'message', resourceId: id })
  })
}
