// Starts the roles of one process and stops them in order. The one place, with main.ts, that sees every part.
import type { Logger } from 'pino'
import type { Config, Role } from './config.ts'
import { openServiceDatabase } from './database.ts'
import { DATABASE_SCHEMA } from './database-schema.ts'
import { createCursorCodec } from './events/cursor.ts'
import { createFeedFollower } from './events/follow-feed.ts'
import { giveUpSilence } from './lib/give-up-silence.ts'
import { createHashTurns } from './lib/hash-turns.ts'
import { pendingMigrations } from './lib/migrate.ts'
import { proveWrite } from './lib/prove-write.ts'
import { createWakeUps } from './lib/queue/wake-ups.ts'
import { type Database, sql } from './lib/sql.ts'
import { OUTBOUND_QUEUE } from './messages/accept-messages.ts'
import { DRAFT_QUEUE } from './messages/drafts/send-draft.ts'
import { NOTICE_QUEUE } from './notices/notice.ts'
import { openServiceStore } from './object-store.ts'
import type { ConsoleAddition } from './roles/console.ts'
import { explainListenFault } from './roles/listen-fault.ts'
import { openCertificate } from './roles/open-certificate.ts'
import type { Parts } from './roles/parts.ts'
import { siteOrigin } from './roles/site-urls.ts'
import { tellKeys } from './secret-key-holders.ts'
import { openSecretKeys } from './secret-keys.ts'
import type { DocsDeps } from './servers/docs/routes.ts'
import type { Metrics } from './servers/ops/metrics.ts'
import { startOpsServer } from './servers/ops/ops-server.ts'
import { WEBHOOK_QUEUE } from './webhooks/delivery-state.ts'
import { REPLAY_QUEUE } from './webhooks/replays/replay.ts'

/** Less than the listener waits for a check, so that it hears why. */
const READY_WRITE_WITHIN_MS = 1_500

export interface ServeOptions {
  config: Config
  roles: readonly Role[]
  log: Logger
  metrics: Metrics
  /** Done with the migrated database before any role starts; gives what undoes it when the service has stopped. */
  prepare?: (database: Database) => Promise<() => Promise<void>>
  /** What the console shows beside its own pages. */
  consoleAddition?: ConsoleAddition | undefined
  /** The key that the reference offers to whoever sends a request; none unless given. */
  keyFor?: DocsDeps['keyFor']
  /** For whoever works on the front ends: what browsers load follows its sources. */
  watchFrontEnds?: boolean
}

export interface Service {
  /** Where the API listens; null without the api role. */
  httpUrl: string | null
  /** The console as browsers know it; null without its role. */
  consoleUrl: string | null
  /** The webmail as browsers know it; null without its role. */
  webmailUrl: string | null
  opsUrl: string
  /** Where mail comes in; null without the inbound role. */
  smtpUrl: string | null
  database: Database
  /** Takes no new work, finishes or gives back what is in flight, and ends within 30 s. */
  stop(): Promise<void>
}

/** @throws ConfigError, as when a port is taken, or whatever keeps the database from starting */
export async function serve(options: ServeOptions): Promise<Service> {
  const { config, roles, log, metrics, prepare, consoleAddition, keyFor, watchFrontEnds = false } = options
  for (const name of config.unknown) log.warn({ variable: name }, 'this variable is unknown; is it misspelled?')

  const stops: (() => Promise<unknown>)[] = []
  const report = (error: unknown) => log.error({ err: error }, 'stopping failed')
  // In the reverse of the order in which they were started.
  const stop = async () => {
    for (const stopOne of stops.splice(0).reverse()) await stopOne().catch(report)
  }
  try {
    const { database, applied, close } = await openServiceDatabase({ config, log, hold: 'service' })
    stops.push(close)
    if (applied.length > 0) log.info({ applied }, 'the database was migrated')
    if (prepare) stops.push(await prepare(database))
    const secretKeys = await openSecretKeys(config, database)
    stops.push((await tellKeys(database, secretKeys)).stop)
    const { store, s3, notes } = await openServiceStore(config)
    if (notes) {
      const { startCarrying } = await import('./backup/start-carrying.ts')
      stops.push(await startCarrying({ config, database, store, notes, log }))
    }
    const its = await loadRoles(roles)
    const wakeUps = createWakeUps(database, (error) => log.warn({ err: error }, 'wake-ups are interrupted'))
    stops.push(wakeUps.stop)

    const hashTurns = createHashTurns()
    const feed = createFeedFollower({
      database,
      wakeUps,
      cursors: createCursorCodec(secretKeys),
      onError: (error) => log.warn({ err: error }, 'the event feed cannot be followed'),
    })
    stops.push(feed.stop)
    const certificate = config.tls && (await openCertificate('http', config.tls, { log, metrics }))
    if (certificate) stops.push(async () => certificate.stop())
    const parts: Parts = {
      config,
      log,
      metrics,
      database,
      wakeUps,
      store,
      s3,
      secretKeys,
      hashTurns,
      certificate,
      watchFrontEnds,
    }
    // Together: each may take most of the time there is.
    const drains: (() => Promise<void>)[] = []
    stops.push(() => Promise.all(drains.map((drain) => drain().catch(report))))
    if (its.webhooks) drains.push(its.webhooks.startWebhooks(parts))
    if (its.retention) drains.push(its.retention.startRetention(parts))
    if (its.activity) drains.push(its.activity.startActivity(parts))
    const api = await its.api?.startApi(parts, { keyFor })
    if (api) drains.push(api.stop)
    const httpUrl = api?.url ?? null
    const sites = {
      console: await its.console?.startConsole(
        { ...parts, feed },
        { apiListensAt: api?.url, addition: consoleAddition },
      ),
      webmail: await its.webmail?.startWebmail({ ...parts, feed }),
    }
    for (const site of Object.values(sites)) if (site) drains.push(site.stop)
    const [consoleUrl, webmailUrl] = [sites.console?.url ?? null, sites.webmail?.url ?? null]
    if (its.outbound) {
      const places = {
        console: consoleUrl ?? siteOrigin(config.console),
        webmail: webmailUrl ?? siteOrigin(config.webmail),
      }
      drains.push(its.outbound.startOutbound(parts, places))
    }
    const inbound = await its.inbound?.startInbound(parts)
    if (inbound) drains.push(inbound.stop)
    const smtpUrl = inbound?.url ?? null
    const ops = await startOpsServer({
      host: config.ops.host,
      port: config.ops.port,
      metrics,
      checks: {
        database: async () => void (await database.rows(sql`select`)),
        writes: () => proveWrite(database, READY_WRITE_WITHIN_MS),
        migrations: async () => {
          const pending = await pendingMigrations(database, DATABASE_SCHEMA)
          if (pending.length > 0) throw new Error(`not applied: ${pending.join(', ')}`)
        },
        objectStore: () => store.check(),
        ...(sites.console ? { console: sites.console.check } : {}),
        ...(sites.webmail ? { webmail: sites.webmail.check } : {}),
      },
    }).catch(explainListenFault('MDK_OPS', config.ops))
    stops.push(ops.stop)
    stops.push(async () => {
      // Beside all that is stopped now, some of which may wait for the database.
      void giveUpSilence(database).then((silent) => {
        if (silent) log.error('the database is silent; what was in flight goes on when its leases have run out')
      })
    })
    metrics.watchDatabase(database, [OUTBOUND_QUEUE, DRAFT_QUEUE, WEBHOOK_QUEUE, REPLAY_QUEUE, NOTICE_QUEUE])
    const urls = { httpUrl, consoleUrl, webmailUrl, opsUrl: ops.url, smtpUrl }
    log.info({ roles, ...urls }, 'ready')
    return { ...urls, database, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** A process loads its own roles: what it does not do costs it neither time to start nor memory. */
async function loadRoles(roles: readonly Role[]) {
  const loadIf = <T>(role: Role, load: () => Promise<T>) => (roles.includes(role) ? load() : undefined)
  return {
    api: await loadIf('api', () => import('./roles/api.ts')),
    console: await loadIf('console', () => import('./roles/console.ts')),
    inbound: await loadIf('inbound', () => import('./roles/inbound.ts')),
    outbound: await loadIf('outbound', () => import('./roles/outbound.ts')),
    retention: await loadIf('retention', () => import('./roles/retention.ts')),
    activity: await loadIf('activity', () => import('./roles/activity.ts')),
    webhooks: await loadIf('webhooks', () => import('./roles/webhooks.ts')),
    webmail: await loadIf('webmail', () => import('./roles/webmail.ts')),
  }
}
