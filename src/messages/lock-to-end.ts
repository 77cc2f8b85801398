// What purging and deleting have in common: which messages may end, and when they have.
import type { TenantActor } from '../access/actor.ts'
import { absent, invalidField } from '../access/problem.ts'
import { wasDone } from '../audit/record.ts'
import type { Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { isOnItsWay, type LockedMessage, lockMessage } from './lock-message.ts'

/** As they are recorded. */
export const ENDING_ACTS = ['message.purge', 'message.delete'] as const

/**
 * Locks a message that is to end. One that is gone, and that only a hold still keeps, is as asked already; so is one that was
 * ended and removed, for which this gives undefined.
 * @throws Problem not_found; validation_error while it is on its way: a 202 is a promise, which is kept first
 */
export async function lockToEnd(tx: Tx, actor: TenantActor, id: Uuid): Promise<LockedMessage | undefined> {
  const message = await lockMessage(tx, actor, id)
  if (!message) {
    // Asked again, perhaps because the answer was lost.
    if (await wasDone(tx, actor.tenantId, ENDING_ACTS, id)) return undefined
    throw absent('message')
  }
  if (message.gone === null && (await isOnItsWay(tx, message))) {
    const sentence = 'The message is still on its way: wait until it is sent to everyone or has failed.'
    throw invalidField('id', sentence)
  }
  return message
}
