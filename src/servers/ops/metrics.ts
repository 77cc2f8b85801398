// What the service reports to a Prometheus server. Counters are fed as things happen; figures of the database are read
// when somebody asks.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { readActivityLag } from '../../activity/find-logs-behind.ts'
import { countOpenMailboxes } from '../../activity/walk-mailboxes.ts'
import { measureQueues } from '../../lib/queue/measure-queues.ts'
import { type Database, sql } from '../../lib/sql.ts'

export interface Metrics {
  onAnswer(answer: { method: string; route: string; status: number; seconds: number }): void
  /** How many requests one accepting statement wrote. */
  onGroup(size: number): void
  /** What became of a submission: accepted, refused, unavailable, unknown, simulated. */
  onRelayResult(result: string): void
  /** What became of an attempt to deliver to a webhook endpoint: accepted, or why it failed. */
  onDelivery(result: string, durationMs: number): void
  /** How many rows or objects a sweep removed. */
  onSwept(sweep: string, count: number): void
  /** How many refused requests were not kept, and why. */
  onRefusedNotKept(reason: string, count: number): void
  /** What came in by SMTP: message, duplicate, or the kind of mail that came back to a return path. */
  onReceived(what: string): void
  /** Until when the certificate is good that a listener shows, and whether it is the one in its files. */
  onCertificate(use: string, certificate: { expiresAtSeconds: number; isTaken: boolean }): void
  /** From now on figures of these queues and of the feed are read at each scrape. */
  watchDatabase(database: Database, queues: readonly string[]): void
  /** The text of /metrics and its content type. */
  read(): Promise<{ text: string; contentType: string }>
}

const SCRAPE_WITHIN_MS = 2_000

export function createMetrics(): Metrics {
  const registers = [new Registry()]
  const registry = registers[0] as Registry
  collectDefaultMetrics({ register: registry })

  const requests = new Counter({
    name: 'mdk_http_requests_total',
    help: 'Answers by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'mdk_http_request_seconds',
    help: 'Time to answer, by route.',
    labelNames: ['route'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30],
    registers,
  })
  const groups = new Histogram({
    name: 'mdk_send_group_size',
    help: 'Requests written by one accepting statement.',
    buckets: [1, 2, 4, 8, 16, 32, 64],
    registers,
  })
  const relay = new Counter({
    name: 'mdk_relay_results_total',
    help: 'Submissions by what became of them.',
    labelNames: ['result'],
    registers,
  })
  const deliveries = new Counter({
    name: 'mdk_webhook_attempts_total',
    help: 'Attempts to deliver to webhook endpoints by what became of them.',
    labelNames: ['result'],
    registers,
  })
  const deliverySeconds = new Histogram({
    name: 'mdk_webhook_attempt_seconds',
    help: 'From the resolving of the name to the end of the answer.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  })
  const received = new Counter({
    name: 'mdk_inbound_total',
    help: 'Mail received by what it was.',
    labelNames: ['kind'],
    registers,
  })
  const swept = new Counter({
    name: 'mdk_swept_total',
    help: 'What had expired and was removed, by sweep.',
    labelNames: ['sweep'],
    registers,
  })
  const notKept = new Counter({
    name: 'mdk_refused_requests_not_kept_total',
    help: 'Refused requests that cannot be looked up, by why: too_many at once, or the database was away.',
    labelNames: ['reason'],
    registers,
  })
  const depth = new Gauge({
    name: 'mdk_queue_depth',
    help: 'Jobs waiting, due or not, counted to 100000.',
    labelNames: ['queue'],
    registers,
  })
  const age = new Gauge({
    name: 'mdk_queue_oldest_seconds',
    help: 'How long ago the oldest job was made that is not done, whatever it waits for.',
    labelNames: ['queue'],
    registers,
  })
  const overdue = new Gauge({
    name: 'mdk_queue_overdue_seconds',
    help: 'How long the oldest due job has been due, those apart whose endpoint waits after failed attempts.',
    labelNames: ['queue'],
    registers,
  })
  const dead = new Gauge({
    name: 'mdk_dead_letters',
    help: 'Dead letters by queue.',
    labelNames: ['queue'],
    registers,
  })
  const lag = new Gauge({
    name: 'mdk_event_lag_seconds',
    help: 'How long the oldest open write transaction of the cluster has been holding back the event feed.',
    registers,
  })
  const activityLag = new Gauge({
    name: 'mdk_activity_lag_seconds',
    help: 'For how long the oldest event has waited that is not counted yet, and whose message cannot be found by words.',
    registers,
  })
  const unsearched = new Gauge({
    name: 'mdk_mailboxes_being_indexed',
    help: 'Mailboxes whose older messages cannot be found by words in the webmail yet.',
    registers,
  })
  const certificateEnd = new Gauge({
    name: 'mdk_tls_certificate_expires_at_seconds',
    help: 'When the certificate that is shown expires, or one of its chain, in Unix time, by use: http or smtp.',
    labelNames: ['use'],
    registers,
  })
  const certificateRefused = new Gauge({
    name: 'mdk_tls_certificate_refused',
    help: '1 while the files of a certificate are no good, and the former one is shown.',
    labelNames: ['use'],
    registers,
  })
  let readDatabase = async (): Promise<void> => {}

  return {
    onAnswer({ method, route, status, seconds }) {
      requests.inc({ method, route, status })
      durations.observe({ route }, seconds)
    },
    onGroup: (size) => groups.observe(size),
    onRelayResult: (result) => relay.inc({ result }),
    onSwept: (sweep, count) => swept.inc({ sweep }, count),
    onReceived: (kind) => received.inc({ kind }),
    onRefusedNotKept: (reason, count) => notKept.inc({ reason }, count),
    onCertificate(use, { expiresAtSeconds, isTaken }) {
      certificateEnd.set({ use }, expiresAtSeconds)
      certificateRefused.set({ use }, isTaken ? 0 : 1)
    },
    onDelivery(result, durationMs) {
      deliveries.inc({ result })
      deliverySeconds.observe(durationMs / 1000)
    },

    watchDatabase(database, queues) {
      readDatabase = async () => {
        for (const stats of await measureQueues(database, queues)) {
          depth.set({ queue: stats.queue }, stats.depth)
          age.set({ queue: stats.queue }, stats.oldestSeconds)
          overdue.set({ queue: stats.queue }, stats.overdueSeconds)
        }
        for (const { queue, count } of await countDeadLetters(database, queues)) dead.set({ queue }, count)
        lag.set(await readFeedLag(database))
        activityLag.set(await readActivityLag(database))
        unsearched.set(await countOpenMailboxes(database))
      }
    },

    async read() {
      // A database that hangs must not hide what the process itself can report.
      await Promise.race([readDatabase().catch(() => {}), timeout(SCRAPE_WITHIN_MS)])
      return { text: await registry.metrics(), contentType: registry.contentType }
    },
  }
}

function countDeadLetters(database: Database, queues: readonly string[]): Promise<{ queue: string; count: number }[]> {
  return database.rows(sql<{ queue: string; count: number }>`
    select q.queue, (select count(*) from dead_letters d where d.queue = q.queue) as count
    from unnest(${queues}::text[]) as q (queue)`)
}

/** The feed gives out no event younger than the oldest transaction that has written and not ended (ADR 5). */
async function readFeedLag(database: Database): Promise<number> {
  const [row] = await database.rows(sql<{ seconds: number }>`
    select coalesce(extract(epoch from clock_timestamp() - min(began)), 0)::float8 as seconds
    from (
      select xact_start as began from pg_stat_activity where backend_xid is not null
      union all select prepared from pg_prepared_xacts
    ) open_transactions`)
  return row?.seconds ?? 0
}

function timeout(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}
