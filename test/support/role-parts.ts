// What the roles of a test stand on: the configuration of an operator but for what a test sets otherwise, and what they
// log and count, kept to be looked at.
import { after } from 'node:test'
import { type Config, readConfig } from '../../src/config.ts'
import { createCursorCodec } from '../../src/events/cursor.ts'
import { createFeedFollower } from '../../src/events/follow-feed.ts'
import type { HashTurns } from '../../src/lib/hash-turns.ts'
import { createLog } from '../../src/lib/log.ts'
import { createWakeUps, type WakeUps } from '../../src/lib/queue/wake-ups.ts'
import { parseSecretKeys, type SecretKeys } from '../../src/lib/secret-box.ts'
import type { Database } from '../../src/lib/sql.ts'
import type { SiteParts } from '../../src/roles/start-site.ts'
import type { Metrics } from '../../src/servers/ops/metrics.ts'
import { hashTurns } from './hash-turns.ts'

/** As MDK_SECRET_KEYS has them. */
export const TEST_SECRET_KEYS_TEXT = `1:${Buffer.alloc(32, 7).toString('base64')}`
export const TEST_SECRET_KEYS = parseSecretKeys(TEST_SECRET_KEYS_TEXT)

export const TEST_REPORT_SECRET = 'a secret the relay shares'
export const TEST_SES_TOPIC = 'arn:aws:sns:eu-west-1:123456789012:ses'

/** Nothing is limited, and nothing waits for long. */
const SETTINGS = {
  MDK_PORT: '0',
  MDK_SMTP_PORT: '0',
  MDK_CONSOLE_PORT: '0',
  MDK_WEBMAIL_PORT: '0',
  MDK_IP_PER_MINUTE: '0',
  MDK_RETURN_PATH_DOMAIN: 'bounce.test',
  MDK_RELAY_REPORT_SECRET: TEST_REPORT_SECRET,
  MDK_SES_TOPIC: TEST_SES_TOPIC,
  MDK_WEBHOOK_ALLOW: '127.0.0.0/8',
  MDK_IMAGE_ALLOW: '127.0.0.0/8',
  MDK_OUTBOUND_BACKOFF: '100ms..400ms',
  MDK_OUTBOUND_GIVE_UP: '1h',
  MDK_RELAY_CONNECTIONS: '4',
  MDK_POLL: '50ms',
}

export interface LogLine {
  level: string
  msg: string
  err?: { type: string; message: string }
  messageId?: string
  endpointId?: string
}

export interface TestPartsOptions {
  /** The whole of what is not as `SETTINGS` have it. */
  config?: Partial<Config>
  /** What is counted is handed to these. */
  metrics?: Partial<Metrics>
  secretKeys?: SecretKeys
  /** The database that wake-ups go over, when statements of the other are looked at. */
  wakeOver?: Database
  /** Those of the process unless given. */
  hashTurns?: HashTurns
}

export interface TestParts extends Omit<SiteParts, 'store' | 's3'> {
  /** What was logged so far. */
  lines: LogLine[]
  /** What went wrong, of it. */
  errors(): LogLine[]
}

/** The wake-ups end after the tests, behind the roles, which are to be started over these parts. */
export function createTestParts(database: Database, options: TestPartsOptions = {}): TestParts {
  const lines: LogLine[] = []
  const log = createLog('debug', { write: (line: string) => void lines.push(JSON.parse(line)) })
  const wakeUps = createWakeUps(options.wakeOver ?? database, (err) => log.error({ err }, 'wake-ups are interrupted'))
  const feed = createFeedFollower({
    database,
    wakeUps,
    cursors: createCursorCodec(options.secretKeys ?? TEST_SECRET_KEYS),
    onError: (err) => log.error({ err }, 'the event feed cannot be followed'),
  })
  return {
    config: { ...readConfig(SETTINGS), ...options.config },
    log,
    metrics: { ...uncounted, ...options.metrics },
    database,
    wakeUps: { ...wakeUps, stop: () => feed.stop().then(wakeUps.stop) },
    feed,
    secretKeys: options.secretKeys ?? TEST_SECRET_KEYS,
    hashTurns: options.hashTurns ?? hashTurns,
    lines,
    errors: () => lines.filter(({ level }) => level === 'error'),
  }
}

/** Stops once, however often it is asked, and after the tests at the latest. */
export function stopOnce(wakeUps: WakeUps, stopRole: () => Promise<unknown>): () => Promise<void> {
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= stopRole().then(wakeUps.stop)
    return stopped
  }
  after(stop)
  return stop
}

const nothing = () => {}
const uncounted: Metrics = {
  onAnswer: nothing,
  onGroup: nothing,
  onRelayResult: nothing,
  onDelivery: nothing,
  onSwept: nothing,
  onRefusedNotKept: nothing,
  onReceived: nothing,
  onCertificate: nothing,
  watchDatabase: nothing,
  read: async () => ({ text: '', contentType: '' }),
}
