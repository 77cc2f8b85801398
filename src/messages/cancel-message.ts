// Cancels a message that is still on its way: whoever has not got it yet gets nothing. specification.md#cancelling-a-message
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { absent, problem } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import { lockJob, removeJob } from '../lib/queue/job-of-subject.ts'
import { type Database, sql, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { applyOutcomes } from './apply-outcomes.ts'
import type { RecipientOutcome } from './decide-outcome.ts'
import { type FoundMessage, findMessage, jobOf } from './find-submission.ts'
import { openRecipients, type StoredRecipient } from './recipients.ts'

/** What stands as the diagnostic of a recipient that gets nothing, as its message was cancelled. */
const CANCELLED = 'cancelled'

/**
 * Its job is taken away before a worker can claim it, and its open recipients fail, in one transaction. Succeeds when it was
 * cancelled already.
 * @throws Problem not_found; not_on_its_way; being_submitted when a worker has it at this moment
 */
export function cancelMessage(database: Database, actor: TenantActor, id: Uuid): Promise<void> {
  assertMay(actor, 'cancelMessages')
  return database.transaction(async (tx) => {
    const message = await findMessage(tx, actor, id)
    if (!message) throw absent('message')
    // In the order in which whoever records a submission locks them: the job, then the state.
    const job = await lockJob(tx, jobOf(message))
    const recipients = await lockRecipients(tx, message)
    const open = openRecipients(recipients)
    if (open.length === 0) {
      if (recipients.some(isCancelled)) return
      throw problem('not_on_its_way')
    }
    if (!job) throw new Error(`message ${id} is on its way and has no job`)
    if (job.state === 'leased') throw problem('being_submitted')
    await removeJob(tx, jobOf(message), job)
    const outcomes = open.map(({ position }) => cancelled(position))
    await applyOutcomes(tx, [{ tenantId: message.tenantId, messageId: id, recipients: outcomes }])
    await recordAct(tx, actor, { operation: 'message.cancel', resourceType: 'message', resourceId: id })
  })
}

/** A report that comes meanwhile waits, and finds them as they are then. None: it was received. */
async function lockRecipients(tx: Tx, { tenantId, id }: FoundMessage): Promise<StoredRecipient[]> {
  const state = await tx.first(sql<{ recipients: StoredRecipient[] }>`
    select s.recipients from message_states s
    where s.tenant_id = ${tenantId} and s.message_id = ${id} limit 1 for no key update`)
  return state?.recipients ?? []
}

function cancelled(position: number): RecipientOutcome {
  return { position, status: 'failed', smtpCode: null, enhancedCode: null, diagnostic: CANCELLED }
}

/** A relay's words come with its code. */
function isCancelled({ status, smtpCode, diagnostic }: StoredRecipient): boolean {
  return status === 'failed' && smtpCode === null && diagnostic === CANCELLED
}
