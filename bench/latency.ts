// How long a message takes from the request that sends it until the relay has it, when all is quiet: all roles in one
// process, one message after the other.
import { setTimeout as delay } from 'node:timers/promises'
import { request } from 'undici'
import { openDatabase } from '../src/lib/sql.ts'
import { newId } from '../src/lib/uuid.ts'
import { createTestTenant } from '../test/support/tenant.ts'
import { startLineProcess } from './line-process.ts'
import { startMdk } from './mdk-process.ts'
import { SEND_RECIPIENT, SEND_SUBJECT, SEND_TEXT } from './send-text.ts'
import type { Arrival } from './smtp-sink.ts'
import { median } from './statistics.ts'

export interface LatencyFigures {
  accept_to_relay_p50_ms: number
}

/** Between two messages. */
const GAP_MS = 25
const ARRIVED_WITHIN_MS = 10_000

/** `url` is a migrated database that nothing else uses; `folder` is empty. */
export async function benchLatency(url: string, folder: string, messages: number): Promise<LatencyFigures> {
  const database = openDatabase({ url })
  const { key, mailboxId } = await createTestTenant(database)
  await database.end()
  const sink = await startLineProcess('smtp-sink.ts')
  const mdk = await startMdk({
    MDK_DATABASE_URL: url,
    MDK_DATA_DIR: folder,
    MDK_RELAY_URL: `smtp://127.0.0.1:${sink.greeting}`,
  })
  const began = new Map<string, number>()
  const found: number[] = []
  const body = JSON.stringify({
    fromMailboxId: mailboxId,
    to: [SEND_RECIPIENT],
    subject: SEND_SUBJECT,
    text: SEND_TEXT,
  })
  try {
    for (let n = 0; n < messages; n++) {
      const beganAtMs = Number(process.hrtime.bigint()) / 1e6
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': newId() }
      const answer = await request(`${mdk.httpUrl}/v1/messages`, { method: 'POST', headers, body })
      if (answer.statusCode !== 202) throw new Error(`a send was answered ${answer.statusCode}`)
      began.set(((await answer.body.json()) as { id: string }).id, beganAtMs)
      await delay(GAP_MS)
    }
    const deadline = performance.now() + ARRIVED_WITHIN_MS
    while (found.length < messages) {
      if (performance.now() > deadline) throw new Error(`${messages - found.length} messages did not arrive`)
      for (const [id, atMs] of JSON.parse(await sink.ask('')) as Arrival[]) found.push(atMs - (began.get(id) as number))
      await delay(10)
    }
    return { accept_to_relay_p50_ms: Math.round(median(found) * 10) / 10 }
  } finally {
    mdk.child.kill('SIGKILL')
    sink.child.kill('SIGKILL')
  }
}
