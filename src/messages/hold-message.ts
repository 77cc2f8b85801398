// Puts a message under legal hold: its bytes stay, whatever happens to it. specification.md#end-of-a-message
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { absent } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import type { Database } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { lockMessage } from './lock-message.ts'
import { setHeld } from './set-held.ts'

/** Succeeds when it is so already. @throws Problem not_found */
export async function holdMessage(database: Database, actor: TenantActor, id: Uuid): Promise<void> {
  assertMay(actor, 'holdMessages')
  await database.transaction(async (tx) => {
    const message = await lockMessage(tx, actor, id)
    if (!message) throw absent('message')
    await setHeld(tx, message, true)
    await recordAct(tx, actor, { operation: 'message.hold', resourceType: 'message', resourceId: id })
  })
}
