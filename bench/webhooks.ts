// How many webhook deliveries a second are claimed, signed, posted and recorded, beside what bare undici.request posts
// of equal bodies to the same receiver; how soon an event arrives when all is quiet; and how soon beside an endpoint
// that hangs. Interleaved, so that a machine that slows down slows both.
import { execFile } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createSecretBox, parseSecretKeys } from '../src/lib/secret-box.ts'
import { type Database, openDatabase, sql } from '../src/lib/sql.ts'
import { newId, type Uuid } from '../src/lib/uuid.ts'
import { insertEndpoint } from '../src/webhooks/create-endpoint.ts'
import { API_VERSION, deliveryBody } from '../src/webhooks/delivery-body.ts'
import { makeWebhookSecret } from '../src/webhooks/signature.ts'
import { sealSecret } from '../src/webhooks/signing-keys.ts'
import { createTestTenant } from '../test/support/tenant.ts'
import { EVENT_DATA } from './event-data.ts'
import { type LineProcess, startLineProcess } from './line-process.ts'
import { median, quantile, ratio } from './statistics.ts'
import type { EmitRequest, Emitted } from './webhook-process.ts'
import type { Arrival } from './webhook-receiver.ts'

const SECRET_KEYS = `1:${Buffer.alloc(32).toString('base64')}`
const ENDPOINTS = 8
/** Of the bare client. */
const CONNECTIONS = 64
const DRAINED_WITHIN_MS = 300_000
const UNFINISHED = 'the deliveries did not come to an end'
/** Between two events that are measured. */
const GAP_MS = 25

export interface WebhookFigures {
  deliveries_per_s: number
  bare_client_per_s: number
  over_bare_client: number
  event_to_receiver_p50_ms: number
  /** From an event to its receiver while another endpoint of the same tenant hangs with a full backlog. */
  beside_hung_p50_ms: number
  beside_hung_worst_ms: number
}

export interface WebhookSizes {
  rounds: number
  deliveries: number
  /** Events sent one by one for each of the two latencies. */
  events: number
  /** Deliveries that are due to the endpoint that hangs. */
  backlog: number
}

/** `url` is a migrated database that nothing else uses. */
export async function benchWebhooks(url: string, sizes: WebhookSizes): Promise<WebhookFigures> {
  const database = openDatabase({ url })
  const receiver = await startLineProcess('webhook-receiver.ts')
  const worker = await startLineProcess('webhook-process.ts', url, SECRET_KEYS)
  const receiverUrl = `http://127.0.0.1:${receiver.greeting}`
  try {
    // What other benches have left to be done is nobody's.
    await database.pool.query('truncate jobs')
    const busy = await Promise.all(Array.from({ length: ENDPOINTS }, () => subscribe(database, `${receiverUrl}/busy`)))
    await emit(worker, busy, 500)
    await drained(database)
    const [ours, bare]: [number[], number[]] = [[], []]
    for (let round = 0; round < sizes.rounds; round++) {
      await receiver.ask('')
      ours.push(await deliver(database, worker, receiver, busy, sizes.deliveries))
      bare.push(await postBare(`${receiverUrl}/busy`, sizes.deliveries))
      await database.pool.query('checkpoint')
    }
    const idle = await latencies(worker, receiver, await subscribe(database, `${receiverUrl}/calm`), sizes.events)
    const besideHung = await latenciesBesideHung(database, worker, receiver, receiverUrl, sizes)
    return {
      deliveries_per_s: Math.round(median(ours)),
      bare_client_per_s: Math.round(median(bare)),
      over_bare_client: ratio(median(ours), median(bare)),
      event_to_receiver_p50_ms: oneDecimal(median(idle)),
      beside_hung_p50_ms: oneDecimal(median(besideHung)),
      beside_hung_worst_ms: oneDecimal(quantile(besideHung, 1)),
    }
  } finally {
    for (const { child } of [worker, receiver]) child.kill('SIGKILL')
    await database.end()
  }
}

interface Subscribed {
  tenantId: Uuid
  endpointId: Uuid
}

/** An endpoint without a handshake, of a tenant of its own unless one is given. */
async function subscribe(database: Database, url: string, given?: { tenantId: Uuid; appId: Uuid }) {
  const { tenantId, appId } = given ?? (await createTestTenant(database))
  const endpointId = newId()
  const secret = sealSecret(createSecretBox(parseSecretKeys(SECRET_KEYS)), tenantId, endpointId, makeWebhookSecret())
  const owner = { tenantId, appId, environmentId: tenantId }
  const endpoint = { id: endpointId, url, description: null, eventTypes: ['*'], apiVersion: API_VERSION, secret }
  await database.transaction((tx) => insertEndpoint(tx, owner, endpoint))
  return { tenantId, appId, endpointId }
}

async function emit(worker: LineProcess, to: readonly Subscribed[], countEach: number): Promise<Emitted> {
  const request: EmitRequest = { tenantIds: to.map(({ tenantId }) => tenantId), countEach }
  return JSON.parse(await worker.ask(JSON.stringify(request))) as Emitted
}

/** Deliveries a second, from the commit that makes them due until the last is recorded. */
async function deliver(
  database: Database,
  worker: LineProcess,
  receiver: LineProcess,
  to: readonly Subscribed[],
  count: number,
): Promise<number> {
  const { committedAtMs } = await emit(worker, to, Math.ceil(count / to.length))
  // The database is asked only when little can be left: it has to look for jobs among all that were removed.
  const arrived = receiver.ask(String(count)).then(() => true)
  if (!(await Promise.race([arrived, delay(DRAINED_WITHIN_MS, false, { ref: false })]))) throw new Error(UNFINISHED)
  await drained(database)
  return (count / (monotonicMs() - committedAtMs)) * 1000
}

function drained(database: Database): Promise<void> {
  return until(async () => (await database.first(sql`select from jobs limit 1`)) === undefined)
}

async function until(done: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + DRAINED_WITHIN_MS
  while (!(await done())) {
    if (performance.now() > deadline) throw new Error(UNFINISHED)
    await delay(10)
  }
}

async function postBare(url: string, count: number): Promise<number> {
  const [id, data] = [newId(), JSON.stringify({ object: 'message', id: newId(), ...EVENT_DATA })]
  const occurredAt = '2026-01-01T00:00:00.000000Z'
  const body = deliveryBody({ id, type: 'message.sent', apiVersion: API_VERSION, occurredAt, data }).toString()
  const script = new URL('bare-client.ts', import.meta.url).pathname
  const { stdout } = await promisify(execFile)(process.execPath, [script, url, count, CONNECTIONS, body].map(String))
  return Number(stdout)
}

/** From just before an event is appended until its receiver has it, in milliseconds; each after the one before. */
async function latencies(worker: LineProcess, receiver: LineProcess, to: Subscribed, count: number): Promise<number[]> {
  const began = new Map<string, number>()
  await receiver.ask('')
  for (let n = 0; n < count; n++) {
    const { firstId, beganAtMs } = await emit(worker, [to], 1)
    began.set(firstId, beganAtMs)
    await delay(GAP_MS)
  }
  const found: number[] = []
  for (let tries = 0; found.length < count; tries++) {
    if (tries === 1_000) throw new Error(`${count - found.length} events did not arrive`)
    for (const [id, atMs] of JSON.parse(await receiver.ask('')) as Arrival[]) {
      const beganAtMs = began.get(id)
      if (beganAtMs !== undefined) found.push(atMs - beganAtMs)
    }
    await delay(10)
  }
  return found
}

/**
 * The same while another endpoint of the tenant hangs that always has its whole cap in flight: again and again it is
 * let off its punishment, one attempt at a time.
 */
async function latenciesBesideHung(
  database: Database,
  worker: LineProcess,
  receiver: LineProcess,
  receiverUrl: string,
  { events, backlog }: WebhookSizes,
): Promise<number[]> {
  const hung = await subscribe(database, `${receiverUrl}/hung`)
  await emit(worker, [hung], backlog)
  const healthy = await subscribe(database, `${receiverUrl}/calm`, hung)
  const letOff = () => database.rows(sql`delete from lane_caps where lane = ${hung.endpointId}`)
  const lettingOff = setInterval(() => void letOff().catch(() => {}), 100)
  try {
    return await latencies(worker, receiver, healthy, events)
  } finally {
    clearInterval(lettingOff)
  }
}

function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

const oneDecimal = (value: number) => Math.round(value * 10) / 10
