// Does work again that was given up, whichever queue it was in.
import { type Operator, operatorIn } from '../access/actor.ts'
import { absent, problem } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import { requeueDeadLetter } from '../lib/queue/dead-letters.ts'
import type { Database, Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { DRAFT_QUEUE } from '../messages/drafts/send-draft.ts'
import { isOnItsWay } from '../messages/lock-message.ts'
import { WEBHOOK_QUEUE } from '../webhooks/delivery-state.ts'
import { ownerOfDelivery, replayDelivery } from '../webhooks/replay-delivery.ts'

/** Gives what is done again. @throws Problem not_found, also when nothing is left to do; endpoint_disabled */
export function replayDeadLetter(
  database: Database,
  operator: Operator,
  id: number,
): Promise<{ queue: string; subjectId: Uuid }> {
  return database.transaction(async (tx) => {
    const letter = await requeueDeadLetter(tx, id)
    if (!letter) throw absent('dead letter')
    const { tenantId, queue, subjectId } = letter
    // It is open again, for whoever wrote it.
    if (queue === DRAFT_QUEUE) throw problem('not_found', { message: OPEN_AGAIN })
    if (queue === WEBHOOK_QUEUE) await replayDeadDelivery(tx, operator, tenantId, subjectId)
    // Recipients that have failed were reported so, and stay failed.
    else if (!(await isOnItsWay(tx, { tenantId, id: subjectId }))) {
      throw problem('not_found', { message: 'Its message is sent, failed or gone: there is nothing left to do.' })
    }
    const act = { operation: 'dead-letters.replay', resourceType: queue, resourceId: subjectId, tenantId } as const
    await recordAct(tx, operator, act)
    return { queue, subjectId }
  })
}

const OPEN_AGAIN =
  'Its draft is open again and says so in the webmail, from where it is sent: there is nothing left to do.'

/** It gets a cycle of its own: its old job comes to nothing. */
async function replayDeadDelivery(tx: Tx, operator: Operator, tenantId: Uuid, deliveryId: Uuid): Promise<void> {
  const owner = await ownerOfDelivery(tx, tenantId, deliveryId)
  if (!owner) throw problem('not_found', { message: 'Its delivery is gone.' })
  await replayDelivery(tx, operatorIn(operator, owner), deliveryId)
}
