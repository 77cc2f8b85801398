// Has a message that waits tried at once. How often it was tried, and when it is given up, stays as it is.
// specification.md#retries-of-a-submission
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { absent, problem } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import { lockJob, makeDue } from '../lib/queue/job-of-subject.ts'
import type { Database } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { findMessage, jobOf } from './find-submission.ts'
import { isOnItsWay } from './lock-message.ts'

/** `due`: it has its turn as soon as a worker has room for it. `being_submitted`: a worker has it already. */
export interface TriedNow {
  state: 'due' | 'being_submitted'
}

/** @throws Problem not_found; not_on_its_way when no recipient waits for it */
export function tryMessageNow(database: Database, actor: TenantActor, id: Uuid): Promise<TriedNow> {
  assertMay(actor, 'retryMessages')
  return database.transaction(async (tx) => {
    const message = await findMessage(tx, actor, id)
    if (!message) throw absent('message')
    const job = await lockJob(tx, jobOf(message))
    if (!job || !(await isOnItsWay(tx, message))) throw problem('not_on_its_way')
    const isLeased = job.state === 'leased'
    if (!isLeased) await makeDue(tx, jobOf(message), job)
    await recordAct(tx, actor, { operation: 'message.retry', resourceType: 'message', resourceId: id })
    return { state: isLeased ? 'being_submitted' : 'due' }
  })
}
