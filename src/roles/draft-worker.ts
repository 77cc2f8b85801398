// The part of the outbound role that sends drafts when they are due.
import { startWorker, type Worker } from '../lib/queue/worker.ts'
import type { DraftOutcome } from '../messages/drafts/accept-draft.ts'
import { DRAFT_QUEUE } from '../messages/drafts/send-draft.ts'
import { createDraftSender, DRAFT_RECEPTIONS } from '../workers/drafts/send-due-draft.ts'
import type { Parts } from './parts.ts'

/** Of this process at once: each takes its tenant's turn at the database. */
const CONCURRENCY = 8
/** Over all processes: of whoever sends many at a time, and of a tenant, whose users have theirs in turn. */
const SENDER_CAP = 2
const TENANT_CAP = 4

export function startDraftWorker({ config, log, database, wakeUps }: Omit<Parts, 's3'>): Worker {
  return startWorker({
    queue: DRAFT_QUEUE,
    database,
    wakeUps,
    handle: createDraftSender({ database, onOutcome: (outcome, draftId) => logOutcome(log, outcome, draftId) }),
    concurrency: CONCURRENCY,
    laneCap: SENDER_CAP,
    tenantCap: TENANT_CAP,
    receptionBudget: DRAFT_RECEPTIONS,
    leaseMs: config.leaseMs,
    pollMs: config.pollMs,
    onError: (error, job) => log.error({ err: error, draftId: job?.subjectId }, 'a draft could not be sent'),
  })
}

function logOutcome(log: Parts['log'], outcome: DraftOutcome, draftId: string): void {
  if (outcome.kind === 'reopened') log.info({ draftId, reason: outcome.failure.code }, 'a draft was not sent')
  else if (outcome.kind === 'sent') log.debug({ draftId }, 'a draft was sent')
}
