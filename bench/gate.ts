// What the gate costs a request whose key is known, and what a flood of wrong secrets costs those who have good keys.

import { execFile } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import type { FastifyContextConfig } from 'fastify'
import pino from 'pino'
import { request } from 'undici'
import { type ApiKey, readApiKey, writeApiKey } from '../src/apps/api-key.ts'
import { createKey } from '../src/apps/create-key.ts'
import { createPlan } from '../src/apps/create-plan.ts'
import { createCredentials } from '../src/apps/credentials.ts'
import { createRateCounts } from '../src/apps/rate-counts.ts'
import { createHashTurns } from '../src/lib/hash-turns.ts'
import { createRateLimiter } from '../src/lib/rate-limiter/rate-limiter.ts'
import { type Database, openDatabase } from '../src/lib/sql.ts'
import { createGate } from '../src/servers/http/gate.ts'
import { createKeyDoor, type KeyDoorDeps } from '../src/servers/http/key-door.ts'
import { buildServer } from '../src/servers/http/server.ts'
import { keyHasher } from '../test/support/hash-turns.ts'
import { operator, operatorOf } from '../test/support/operator.ts'
import { createTestTenant, type TestTenant } from '../test/support/tenant.ts'
import { load, startApi } from './api-load.ts'
import { median, ratio } from './statistics.ts'

export interface GateFigures {
  /** Of CPU, in all threads, for one request with a key that was verified before. */
  cpu_us: number
  calm_p50_ms: number
  flood_p50_ms: number
  /** Median latency of good keys while wrong secrets come in, over the same without. */
  flood_latency_ratio: number
}

export interface GateSizes {
  rounds: number
  /** Requests in a round. */
  requests: number
  /** Of load in a round. */
  seconds: number
}

/** More than anybody asks for: everything is counted, nothing refused. */
const PLENTY = 900_000_000
const CONNECTIONS = 16
const GOOD_PER_SECOND = 200
/** As many, and more than could be hashed beside them. */
const WRONG_PER_SECOND = 200
const ATTACKED_KEYS = 50

/** `url` is a migrated database that nothing else uses. */
export async function benchGate(url: string, sizes: GateSizes): Promise<GateFigures> {
  const database = openDatabase({ url })
  await createPlan(database, operator, 'plenty', { keyPerMinute: PLENTY, tenantPerDay: PLENTY })
  const tenant = await createTestTenant(database, { plan: 'plenty' })
  try {
    return { cpu_us: await cpuOfGate(database, tenant, sizes), ...(await underFlood(url, database, tenant, sizes)) }
  } finally {
    await database.end()
  }
}

/** The difference between a request that passes the gate and one that needs no key, through the same machinery. */
async function cpuOfGate(database: Database, tenant: TestTenant, { rounds, requests }: GateSizes): Promise<number> {
  const onError = (error: unknown) => void process.stderr.write(`${error}\n`)
  const credentials = createCredentials(database, createHashTurns().keys, onError)
  const limiter = createRateLimiter(createRateCounts(database), onError)
  const gate = createGate({ limiter, ipPerMinute: PLENTY, ipAllow: [] })
  const guarded = serverOf({ auth: 'key', scope: 'mailboxes:read' }, { verifyKey: credentials.verify, gate })
  const open = serverOf({ auth: 'open' }, { verifyKey: credentials.verify })
  const cpuOf = async (app: typeof open) => {
    const { port } = app.server.address() as AddressInfo
    const before = process.cpuUsage()
    await ask(port, requests, tenant.key)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / requests
  }
  try {
    for (const app of [guarded, open]) {
      await app.listen({ host: '127.0.0.1', port: 0 })
      await cpuOf(app)
    }
    const costs = []
    for (let round = 0; round < rounds; round++) costs.push((await cpuOf(guarded)) - (await cpuOf(open)))
    return Math.round(median(costs) * 10) / 10
  } finally {
    await Promise.all([guarded.close(), open.close()])
    await limiter.stop()
    await credentials.stop()
  }
}

/** So many requests from another process, whose CPU does not count. */
async function ask(port: number, requests: number, key: string): Promise<void> {
  const args = ['-a', requests, '-c', CONNECTIONS, '-H', `authorization: Bearer ${key}`, '--json'].map(String)
  const script = new URL('../node_modules/autocannon/autocannon.js', import.meta.url).pathname
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args, `http://127.0.0.1:${port}/`])
  const answers = JSON.parse(stdout)
  if (answers['2xx'] !== requests) throw new Error(`${answers['2xx']} of ${requests} requests were let in`)
}

function serverOf(config: FastifyContextConfig, deps: KeyDoorDeps) {
  const guard = deps.gate?.admitAddress
  const app = buildServer({
    log: pino({ level: 'silent' }),
    onAnswer: () => {},
    doors: { key: createKeyDoor(deps) },
    guard,
  })
  app.get('/', { config }, async () => 'ok')
  return app
}

async function underFlood(url: string, database: Database, tenant: TestTenant, { rounds, seconds }: GateSizes) {
  const attacked: ApiKey[] = []
  for (let i = 0; i < ATTACKED_KEYS; i++) {
    const { key } = await createKey({ database, keyHasher }, operatorOf(tenant.tenantId), {
      appId: tenant.appId,
      scopes: ['messages:read'],
    })
    attacked.push(readApiKey(key) as ApiKey)
  }
  const api = await startApi(url, 64)
  const good = async () => (await load([api], seconds, GOOD_PER_SECOND, tenant)).p50Ms
  const [calm, flood]: [number[], number[]] = [[], []]
  try {
    await load([api], 1, 0, tenant)
    for (let round = 0; round < rounds; round++) {
      calm.push(await good())
      const stop = startFlood(`http://127.0.0.1:${api.port}/v1/messages`, attacked)
      flood.push(await good())
      await stop()
    }
  } finally {
    api.child.kill('SIGKILL')
  }
  return {
    calm_p50_ms: Math.round(median(calm) * 100) / 100,
    flood_p50_ms: Math.round(median(flood) * 100) / 100,
    // Each pair by itself: a machine that slows down slows both.
    flood_latency_ratio: ratio(median(flood.map((each, i) => each / (calm[i] as number))), 1),
  }
}

/** Wrong secrets for keys that exist, each of them once, whatever becomes of the ones before. */
function startFlood(url: string, keys: readonly ApiKey[]): () => Promise<void> {
  let sent = 0
  const began = performance.now()
  const waiting = new Set<Promise<unknown>>()
  const timer = setInterval(() => {
    for (const due = ((performance.now() - began) * WRONG_PER_SECOND) / 1000; sent < due; sent++) {
      const secret = `${Math.random()}`.slice(2).padStart(43, '0').slice(-43)
      const key = writeApiKey({ ...(keys[sent % keys.length] as ApiKey), secret })
      const asked = request(url, { headers: { authorization: `Bearer ${key}` } }).then(({ body }) => body.dump())
      waiting.add(asked)
      void asked.finally(() => waiting.delete(asked))
    }
  }, 2)
  return async () => {
    clearInterval(timer)
    await Promise.all(waiting)
  }
}
