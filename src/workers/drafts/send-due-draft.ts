// The worker of drafts: each becomes a message when it is due, or is open again and says why not. What becomes of a draft and the
// end of its job are one transaction: whoever is killed before its commit has done nothing, whoever is killed after it all.
import type { Job } from '../../lib/queue/job.ts'
import { type JobSettlement, settleJobs } from '../../lib/queue/settle-jobs.ts'
import type { WorkerOptions } from '../../lib/queue/worker.ts'
import type { Database, Tx } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'
import { acceptDraft, type DraftOutcome, giveUpDraft } from '../../messages/drafts/accept-draft.ts'

/** A draft that stops its worker this often is open again. */
export const DRAFT_RECEPTIONS = 5

export interface SendDueDraftDeps {
  database: Database
  /** Called with what became of it, once that is written. */
  onOutcome(outcome: DraftOutcome, draftId: Uuid): void
}

/** Makes the handler of the jobs of drafts. */
export function createDraftSender({ database, onOutcome }: SendDueDraftDeps): WorkerOptions['handle'] {
  return async (job) => {
    try {
      onOutcome(await database.transaction((tx) => carryOut(tx, job)), job.subjectId)
    } catch (error) {
      if (!(error instanceof LostClaim)) throw error
    }
  }
}

/** The job is another worker's by now, who does it. */
class LostClaim extends Error {
  override name = 'LostClaim'
}

async function carryOut(tx: Tx, job: Job): Promise<DraftOutcome> {
  const due = { tenantId: job.tenantId, id: job.subjectId, dueAt: String(job.payload?.dueAt) }
  const outcome = job.exhausted ? await giveUpDraft(tx, due) : await acceptDraft(tx, due)
  const settled = await settleJobs(tx, [{ job, how: settlementOf(job, outcome) }])
  if (!settled.has(job.id)) throw new LostClaim()
  return outcome
}

function settlementOf(job: Job, outcome: DraftOutcome): JobSettlement {
  if (outcome.kind === 'early') return { kind: 'giveBack', dueInMs: outcome.dueInMs }
  return job.exhausted ? { kind: 'deadLetter', reason: 'receptions_exhausted' } : { kind: 'done' }
}
