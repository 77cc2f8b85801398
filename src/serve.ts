// Starts the roles of one process and stops them in order. The one place, with main.ts, that sees every part.
import { join } from 'node:path'
import type { Logger } from 'pino'
import { buildApi } from './api.ts'
import { createCredentials } from './apps/credentials.ts'
import { type Config, ConfigError, type Role } from './config.ts'
import { MIGRATIONS, openServiceDatabase } from './database.ts'
import { createCursorCodec } from './events/cursor.ts'
import { pendingMigrations } from './lib/migrate.ts'
import { openFileStore } from './lib/object-store/file.ts'
import type { ObjectStore } from './lib/object-store.ts'
import { createWakeUps } from './lib/queue/wake-ups.ts'
import { startWorker } from './lib/queue/worker.ts'
import { parseSecretKeys, type SecretKeys } from './lib/secret-box.ts'
import { loadOrCreateSecretKeys } from './lib/secret-key-file.ts'
import { type Database, sql } from './lib/sql.ts'
import { createSender } from './messages/send-message.ts'
import type { Metrics } from './ops/metrics.ts'
import { type OpsPage, startOpsServer } from './ops/ops-server.ts'
import { createRelay } from './outbound/relay.ts'
import { returnPathSettings, signReturnPath } from './outbound/return-path.ts'
import { createSubmitter, OUTBOUND_QUEUE, OUTBOUND_RECEPTIONS } from './outbound/submit-message.ts'

export interface ServeOptions {
  config: Config
  roles: readonly Role[]
  log: Logger
  metrics: Metrics
  /** Further pages of the ops listener. */
  pages?: readonly OpsPage[]
}

export interface Service {
  /** Where the API listens; null without the api role. */
  httpUrl: string | null
  opsUrl: string
  database: Database
  /** Takes no new work, finishes or gives back what is in flight, and ends within 30 s. */
  stop(): Promise<void>
}

/** Messages of this process on their way at once, for each connection to the relay: one is sent, the next prepared. */
const MESSAGES_PER_CONNECTION = 8
/** How much of it one tenant may take up, over all processes. */
const OUTBOUND_LANE_CAP = 500
const DRAIN_MS = 20_000

/** @throws ConfigError, or whatever keeps the database or a listener from starting */
export async function serve({ config, roles, log, metrics, pages = [] }: ServeOptions): Promise<Service> {
  const has = (role: Role) => roles.includes(role)
  if (has('outbound')) checkOutbound(config)
  for (const name of config.unknown) log.warn({ variable: name }, 'this variable is not known; is it misspelt?')

  const stops: (() => Promise<void>)[] = []
  // In the reverse of the order in which they were started.
  const stop = async () => {
    for (const stopOne of stops.splice(0).reverse()) {
      await stopOne().catch((error) => log.error({ err: error }, 'stopping failed'))
    }
  }
  try {
    const { database, applied, close } = await openServiceDatabase({ config, log, hold: 'service' })
    stops.push(close)
    if (applied.length > 0) log.info({ applied }, 'the database was migrated')
    const secretKeys = await loadSecretKeys(config)
    const store = await openObjectStore(config)
    const wakeUps = createWakeUps(database, (error) => log.warn({ err: error }, 'wake-ups are interrupted'))
    stops.push(wakeUps.stop)

    if (has('outbound')) stops.push(startOutbound({ config, log, metrics, database, wakeUps, store, secretKeys }))
    const httpUrl = has('api') ? await startApi({ config, log, metrics, database, wakeUps, secretKeys, stops }) : null
    const ops = await startOpsServer({
      host: config.ops.host,
      port: config.ops.port,
      metrics,
      checks: {
        database: async () => void (await database.rows(sql`select`)),
        migrations: async () => {
          const pending = await pendingMigrations(database, MIGRATIONS)
          if (pending.length > 0) throw new Error(`not applied: ${pending.join(', ')}`)
        },
        objectStore: () => store.check(),
      },
      pages,
    })
    stops.push(ops.stop)
    metrics.watchDatabase(database, [OUTBOUND_QUEUE])
    log.info({ roles, httpUrl, opsUrl: ops.url }, 'ready')
    return { httpUrl, opsUrl: ops.url, database, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function checkOutbound(config: Config): void {
  const faults: string[] = []
  if (config.relay.url === undefined) faults.push('MDK_RELAY_URL: the outbound role needs it')
  if (config.returnPathDomain === undefined) faults.push('MDK_RETURN_PATH_DOMAIN: the outbound role needs it')
  if (faults.length > 0) throw new ConfigError(faults)
}

async function loadSecretKeys(config: Config): Promise<SecretKeys> {
  if (config.secretKeys === undefined) return loadOrCreateSecretKeys(join(config.dataDir, 'secret-keys'))
  try {
    return parseSecretKeys(config.secretKeys)
  } catch (error) {
    throw new ConfigError([`MDK_SECRET_KEYS: ${(error as Error).message}`])
  }
}

async function openObjectStore(config: Config): Promise<ObjectStore> {
  if (!config.objectStore.startsWith('file:')) {
    throw new ConfigError(['MDK_OBJECT_STORE: only file: stores are supported by this version'])
  }
  return openFileStore(config.objectStore.slice('file:'.length))
}

interface Parts {
  config: Config
  log: Logger
  metrics: Metrics
  database: Database
  wakeUps: ReturnType<typeof createWakeUps>
  secretKeys: SecretKeys
}

function startOutbound(parts: Parts & { store: ObjectStore }): () => Promise<void> {
  const { config, log, metrics, database, wakeUps } = parts
  const relay = createRelay({
    url: config.relay.url as string,
    connections: config.relay.connections,
    ratePerSecond: config.relay.ratePerSecond,
    log,
  })
  const returnPath = returnPathSettings(config.returnPathDomain as string, parts.secretKeys)
  const worker = startWorker({
    queue: OUTBOUND_QUEUE,
    database,
    wakeUps,
    handle: createSubmitter({
      database,
      store: parts.store,
      relay,
      returnPathOf: (messageId) => signReturnPath(messageId, returnPath),
      backoff: config.outboundBackoff,
      giveUpMs: config.outboundGiveUpMs,
      random: Math.random,
      onResult: metrics.onRelayResult,
      onRecorded: () => wakeUps.wake('webhooks'),
    }),
    concurrency: config.relay.connections * MESSAGES_PER_CONNECTION,
    laneCap: OUTBOUND_LANE_CAP,
    receptionBudget: OUTBOUND_RECEPTIONS,
    leaseMs: config.leaseMs,
    pollMs: config.pollMs,
    onError: (error, job) => log.error({ err: error, messageId: job?.subjectId }, 'outbound work failed'),
  })
  return async () => {
    // The relay takes nothing new at once, and has ended before what is left is given back to other workers.
    await Promise.all([worker.stop(DRAIN_MS), relay.close(DRAIN_MS - 1_000)])
  }
}

async function startApi(parts: Parts & { stops: (() => Promise<void>)[] }): Promise<string> {
  const { config, log, metrics, database, wakeUps } = parts
  const credentials = createCredentials(database, (error) => log.warn({ err: error }, 'last use was not recorded'))
  const sender = createSender({
    db: database,
    idempotencyTtlSeconds: config.idempotencyTtlMs / 1000,
    wakeOutbound: () => wakeUps.wake(OUTBOUND_QUEUE),
    onGroup: metrics.onGroup,
  })
  const app = buildApi({
    log,
    db: database,
    sender,
    cursors: createCursorCodec(parts.secretKeys),
    verifyKey: credentials.verify,
    onAnswer: metrics.onAnswer,
  })
  parts.stops.push(async () => {
    await app.close()
    await sender.drain()
    await credentials.stop()
  })
  return app.listen({ host: config.http.host, port: config.http.port })
}
