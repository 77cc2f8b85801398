// Ends the legal hold of a message. specification.md#end-of-a-message
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { absent } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import type { Database } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { lockMessage } from './lock-message.ts'
import { setHeld } from './set-held.ts'

/** What was gone and only held goes now. Succeeds when it is not held. @throws Problem not_found */
export async function releaseMessage(database: Database, actor: TenantActor, id: Uuid): Promise<void> {
  assertMay(actor, 'holdMessages')
  await database.transaction(async (tx) => {
    const message = await lockMessage(tx, actor, id)
    if (!message) throw absent('message')
    await setHeld(tx, message, false)
    await recordAct(tx, actor, { operation: 'message.release', resourceType: 'message', resourceId: id })
  })
}
