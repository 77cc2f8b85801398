// How many messages a second go from the queue to the relay – claimed, built, signed, stored, submitted, recorded –
// beside what a bare nodemailer pool composes, signs and sends of equal messages to the same sink over as many
// connections. Interleaved, so that a machine that slows down slows both.

import { execFile } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Application } from '../src/access/actor.ts'
import { readConfig } from '../src/config.ts'
import { createSecretBox, parseSecretKeys } from '../src/lib/secret-box.ts'
import { type Database, openDatabase, sql } from '../src/lib/sql.ts'
import { newId } from '../src/lib/uuid.ts'
import { type DkimKey, makeDkimKey } from '../src/mailboxes/dkim-key.ts'
import { createSender } from '../src/messages/send-message.ts'
import { createTestTenant, type TestTenant } from '../test/support/tenant.ts'
import { startLineProcess } from './line-process.ts'
import { SEND_RECIPIENT, SEND_SUBJECT, SEND_TEXT } from './send-text.ts'
import type { Sizes } from './sizes.ts'
import { median, ratio } from './statistics.ts'

const SECRET_KEYS = `1:${Buffer.alloc(32).toString('base64')}`
const TENANTS = 4
const DRAINED_WITHIN_MS = 300_000

export interface OutboundFigures {
  messages_per_s: number
  bare_client_per_s: number
  over_bare_client: number
}

/** Sends so many messages a round each way. `url` is a migrated database that nothing else uses, `objects` an empty folder. */
export async function benchOutbound(
  url: string,
  objects: string,
  { messages, rounds }: Sizes['outbound'],
): Promise<OutboundFigures> {
  const database = openDatabase({ url })
  const key = await makeDkimKey()
  const dkim = { key, secretBox: createSecretBox(parseSecretKeys(SECRET_KEYS)) }
  const tenants = await Promise.all(Array.from({ length: TENANTS }, () => createTestTenant(database, { dkim })))
  const sink = await startLineProcess('smtp-sink.ts')
  const worker = await startLineProcess(
    'outbound-process.ts',
    url,
    SECRET_KEYS,
    `smtp://127.0.0.1:${sink.greeting}`,
    objects,
  )
  const submit = async (count: number) => {
    await accept(database, tenants, count)
    const began = performance.now()
    await worker.ask('start')
    await drained(database)
    const seconds = (performance.now() - began) / 1000
    await worker.ask('stop')
    return count / seconds
  }
  const [ours, bare]: [number[], number[]] = [[], []]
  try {
    await submit(Math.ceil(messages / 10))
    for (let round = 0; round < rounds; round++) {
      ours.push(await submit(messages))
      bare.push(await sendBare(sink.greeting, messages, tenants[0] as TestTenant, key))
      await sink.ask('')
      await database.pool.query('checkpoint')
    }
    return {
      messages_per_s: Math.round(median(ours)),
      bare_client_per_s: Math.round(median(bare)),
      over_bare_client: ratio(median(ours), median(bare)),
    }
  } finally {
    for (const { child } of [worker, sink]) child.kill('SIGKILL')
    await database.end()
  }
}

/** As the API accepts them, spread over the tenants. */
async function accept(database: Database, tenants: readonly TestTenant[], count: number): Promise<void> {
  const sender = createSender({ database, idempotencyTtlSeconds: 86_400, onGroup: () => {} })
  const origin = { requestId: newId(), clientAddress: '127.0.0.1', userAgent: null }
  const one = (_: unknown, n: number) => {
    const { tenantId, appId, mailboxId } = tenants[n % tenants.length] as TestTenant
    const actor: Application = {
      kind: 'application',
      tenantId,
      appId,
      keyId: newId(),
      environment: 'production',
      environmentId: tenantId,
      scopes: new Set(['messages:send']),
      limits: { keyPerMinute: 0, tenantPerDay: 0 },
      origin,
    }
    const input = {
      fromMailboxId: mailboxId,
      to: [SEND_RECIPIENT],
      cc: [],
      bcc: [],
      subject: SEND_SUBJECT,
      text: SEND_TEXT,
      attachmentIds: [],
    }
    return sender.send(actor, newId(), input)
  }
  await Promise.all(Array.from({ length: count }, one))
}

async function drained(database: Database): Promise<void> {
  const deadline = performance.now() + DRAINED_WITHIN_MS
  while ((await database.first(sql`select from jobs limit 1`)) !== undefined) {
    if (performance.now() > deadline) throw new Error('the messages did not come to an end')
    await delay(10)
  }
}

/** Over as many connections as the service opens by default. */
async function sendBare(port: string, count: number, { address }: TestTenant, key: DkimKey): Promise<number> {
  const script = new URL('bare-mailer.ts', import.meta.url).pathname
  const { connections } = readConfig({}).relay
  const args = [script, port, count, connections, address, key.selector, key.privateKey.reveal()].map(String)
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return Number(stdout)
}
