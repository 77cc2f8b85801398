// The webhooks role alone in a process of its own, as `mdk serve --roles webhooks` runs it. Arguments: database URL,
// secret keys. For each line on its input, a request to emit, it appends those events as a role beside it would, whose
// commit wakes the worker, and prints the first one's id with the time before and after by the machine's monotonic clock.
import { createWriteStream } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pino from 'pino'
import { readConfig } from '../src/config.ts'
import { appendEvents, type NewEvent } from '../src/events/append.ts'
import { createHashTurns } from '../src/lib/hash-turns.ts'
import { openFileStore } from '../src/lib/object-store/file.ts'
import { createWakeUps } from '../src/lib/queue/wake-ups.ts'
import { parseSecretKeys } from '../src/lib/secret-box.ts'
import { openDatabase } from '../src/lib/sql.ts'
import { newId, type Uuid } from '../src/lib/uuid.ts'
import type { Parts } from '../src/roles/parts.ts'
import { startWebhooks } from '../src/roles/webhooks.ts'
import { createMetrics } from '../src/servers/ops/metrics.ts'
import { EVENT_DATA } from './event-data.ts'

export interface EmitRequest {
  tenantIds: Uuid[]
  countEach: number
}

export interface Emitted {
  firstId: Uuid
  beganAtMs: number
  committedAtMs: number
}

const AT_ONCE = 1_000

const [url, secretKeys] = process.argv.slice(2) as [string, string]
const database = openDatabase({ url })
const parts: Parts = {
  config: readConfig({ MDK_WEBHOOK_ALLOW: '127.0.0.0/8' }),
  log: pino({ level: 'info' }, createWriteStream('/dev/null')),
  metrics: createMetrics(),
  database,
  wakeUps: createWakeUps(database, (error) => void process.stderr.write(`${error}\n`)),
  s3: undefined,
  store: await openFileStore(await mkdtemp(join(tmpdir(), 'bench-'))),
  secretKeys: parseSecretKeys(secretKeys),
  hashTurns: createHashTurns(),
}
// An endpoint that hangs for the whole of a bench stays enabled.
startWebhooks(parts, { failureLimit: 1_000_000 })
process.stdout.write('ready\n')

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await emit(JSON.parse(line) as EmitRequest))}\n`)
}

/** In one transaction, so that they fall due together. */
async function emit({ tenantIds, countEach }: EmitRequest): Promise<Emitted> {
  const beganAtMs = monotonicMs()
  const firstId = await database.transaction(async (tx) => {
    const ids: Uuid[] = []
    for (const tenantId of tenantIds) {
      for (let left = countEach; left > 0; left -= AT_ONCE) {
        const events = Array.from({ length: Math.min(left, AT_ONCE) }, () => sentBy(tenantId))
        ids.push(...(await appendEvents(tx, events)))
      }
    }
    return ids[0] as Uuid
  })
  const committedAtMs = monotonicMs()
  return { firstId, beganAtMs, committedAtMs }
}

function sentBy(tenantId: Uuid): NewEvent {
  return {
    tenantId,
    environmentId: tenantId,
    type: 'message.sent',
    resourceType: 'message',
    resourceId: newId(),
    data: EVENT_DATA,
  }
}

function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
