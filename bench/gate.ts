// What the gate costs a request whose key is known, and what a flood of wrong secrets costs those who have good keys.
import pino from 'pino'
import { type ApiKey, readApiKey, writeApiKey } from '../src/apps/api-key.ts'
import { createCredentials } from '../src/apps/credentials.ts'
import { createKey, setPlan } from '../src/apps/manage.ts'
import { createRateCounts } from '../src/apps/rate-counts.ts'
import { createGate } from '../src/http/gate.ts'
import { createRateLimiter } from '../src/http/rate-limiter.ts'
import { buildServer, type ServerDeps } from '../src/http/server.ts'
import { type Database, openDatabase } from '../src/lib/sql.ts'
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
const GOOD_PER_SECOND = 200
/** As many, and more than could be hashed beside them. */
const WRONG_PER_SECOND = 200
const ATTACKED_KEYS = 50

/** `url` is a migrated database that nothing else uses. */
export async function benchGate(url: string, sizes: GateSizes): Promise<GateFigures> {
  const database = openDatabase({ url })
  await setPlan(database, 'plenty', { keyPerMinute: PLENTY, tenantPerDay: PLENTY })
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
  const credentials = createCredentials(database, onError)
  const limiter = createRateLimiter(createRateCounts(database), onError)
  const gate = createGate({ limiter, ipPerMinute: PLENTY, ipAllow: [] })
  const guarded = serverOf('listMailboxes', { verifyKey: credentials.verify, gate })
  const open = serverOf('docs', { verifyKey: credentials.verify })
  const ask = async (app: typeof open) => {
    const before = process.cpuUsage()
    for (let i = 0; i < requests; i++) {
      const { statusCode } = await app.inject({ url: '/', headers: { authorization: `Bearer ${tenant.key}` } })
      if (statusCode !== 200) throw new Error(`the answer was ${statusCode}`)
    }
    const { user, system } = process.cpuUsage(before)
    return (user + system) / requests
  }
  try {
    for (const app of [guarded, open]) await ask(app)
    const costs = []
    for (let round = 0; round < rounds; round++) costs.push((await ask(guarded)) - (await ask(open)))
    return Math.round(median(costs) * 10) / 10
  } finally {
    await limiter.stop()
    await credentials.stop()
  }
}

function serverOf(operation: 'listMailboxes' | 'docs', deps: Pick<ServerDeps, 'verifyKey' | 'gate'>) {
  const app = buildServer({ log: pino({ level: 'silent' }), onAnswer: () => {}, ...deps })
  app.get('/', { config: { operation } }, async () => 'ok')
  return app
}

async function underFlood(url: string, database: Database, tenant: TestTenant, { rounds, seconds }: GateSizes) {
  const attacked: ApiKey[] = []
  for (let i = 0; i < ATTACKED_KEYS; i++) {
    const { key } = await createKey(database, { appId: tenant.appId, scopes: ['messages:read'] })
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
    flood_latency_ratio: ratio(median(flood), median(calm)),
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
      const asked = fetch(url, { headers: { authorization: `Bearer ${key}` } }).then((answer) => answer.text())
      waiting.add(asked)
      void asked.finally(() => waiting.delete(asked))
    }
  }, 2)
  return async () => {
    clearInterval(timer)
    await Promise.all(waiting)
  }
}
