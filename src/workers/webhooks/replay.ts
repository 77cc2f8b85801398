// The worker of replays: one batch at a time, recorded together with its job, so that replays take turns with each other and
// one that is killed in the middle goes on where it was.
import type { Job } from '../../lib/queue/job.ts'
import { type JobSettlement, settleJobs } from '../../lib/queue/settle-jobs.ts'
import type { WorkerOptions } from '../../lib/queue/worker.ts'
import type { Database, Tx } from '../../lib/sql.ts'
import { type Advance, advanceReplay, type ReplayPace } from '../../webhooks/replays/advance-replay.ts'
import { endReplay } from '../../webhooks/replays/end-replay.ts'

/** A batch that stops its worker this often stops its replay. */
export const REPLAY_RECEPTIONS = 5

/** Few enough to leave the queue to others, and to be looked over in no time. */
const PACE: ReplayPace = { batch: 500, mostWaiting: 2_000 }
/** How long until an endpoint is looked at again that has enough to do: it takes fewer than `mostWaiting` in that time. */
const WAIT_MS = 500

/** Makes the handler of the jobs of replays. Only a test has another pace. */
export function createReplayer(database: Database, pace: ReplayPace = PACE): WorkerOptions['handle'] {
  return (job) =>
    database
      .transaction(async (tx) => {
        const settlement = SETTLEMENTS[await advance(tx, job, pace)]
        const settled = await settleJobs(tx, [{ job, how: settlement }])
        if (!settled.has(job.id)) throw new ClaimLost()
      })
      .catch((error: unknown) => {
        if (!(error instanceof ClaimLost)) throw error
      })
}

const SETTLEMENTS: Record<Advance, JobSettlement> = {
  ended: { kind: 'done' },
  more: { kind: 'putBack', dueInMs: 0, keepReceptions: false },
  later: { kind: 'putBack', dueInMs: WAIT_MS, keepReceptions: false },
}

async function advance(tx: Tx, { tenantId, subjectId: id, exhausted }: Job, pace: ReplayPace): Promise<Advance> {
  if (!exhausted) return advanceReplay(tx, { tenantId, id }, pace)
  await endReplay(tx, { tenantId, id }, 'fault')
  return 'ended'
}

/** The job is another worker's by now, and the batch with it. */
class ClaimLost extends Error {}
