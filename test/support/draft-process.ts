// A worker process for the tests of drafts: turns those that are due into messages. Arguments: database URL, lease in ms.
import { createWakeUps } from '../../src/lib/queue/wake-ups.ts'
import { startWorker } from '../../src/lib/queue/worker.ts'
import { openDatabase } from '../../src/lib/sql.ts'
import { DRAFT_QUEUE } from '../../src/messages/drafts/send-draft.ts'
import { createDraftSender, DRAFT_RECEPTIONS } from '../../src/workers/drafts/send-due-draft.ts'

const [url, leaseMs] = process.argv.slice(2) as [string, string]
const say = (line: Record<string, unknown>) => process.stdout.write(`${JSON.stringify(line)}\n`)
const fail = (error: unknown) => say({ error: String(error) })

const database = openDatabase({ url, applicationName: 'draft process', onIdleError: () => {} })
startWorker({
  queue: DRAFT_QUEUE,
  database,
  wakeUps: createWakeUps(database, fail),
  handle: createDraftSender({ database, onOutcome: ({ kind }) => void say({ outcome: kind }) }),
  concurrency: 4,
  laneCap: 4,
  receptionBudget: DRAFT_RECEPTIONS,
  leaseMs: Number(leaseMs),
  pollMs: 50,
  onError: fail,
})
say({ ready: true })
