// The outbound role of one process, over a test's own database, store and relay.
import { rm } from 'node:fs/promises'
import { after } from 'node:test'
import { openFileStore } from '../../src/lib/object-store/file.ts'
import type { ObjectStore } from '../../src/lib/object-store.ts'
import type { SecretKeys } from '../../src/lib/secret-box.ts'
import type { Database } from '../../src/lib/sql.ts'
import { returnPathSettings } from '../../src/mail/return-path.ts'
import { OUTBOUND_QUEUE } from '../../src/messages/accept-messages.ts'
import { startOutbound } from '../../src/roles/outbound.ts'
import { createTestParts, type LogLine, stopOnce, TEST_SECRET_KEYS } from './role-parts.ts'
import { temporaryFolder } from './temporary-folder.ts'

export interface TestOutbound {
  store: ObjectStore
  folder: string
  /** What was logged so far. */
  lines: LogLine[]
  /** What went wrong so far. */
  errors(): LogLine[]
  /** The messages that took the database too long, as often as they did. */
  outOfTime(): string[]
  wake(): void
  stop(): Promise<void>
}

export interface TestOutboundOptions {
  relayUrl: string
  giveUpMs?: number
  backoff?: { firstMs: number; mostMs: number }
  leaseMs?: number
  pollMs?: number
  connections?: number
  store?: ObjectStore
  secretKeys?: SecretKeys
  /** Without it no notices are mailed. */
  noticesFrom?: string
}

export const RETURN_PATH = returnPathSettings('bounce.test', TEST_SECRET_KEYS)

/** Where the links of notices lead. */
export const TEST_SITES = { console: 'https://console.test', webmail: 'https://webmail.test' }

/** As the role logs it. */
const OUT_OF_TIME = /the database takes too long with a message/

export async function startTestOutbound(database: Database, options: TestOutboundOptions): Promise<TestOutbound> {
  const folder = await temporaryFolder('outbound-test-')
  after(() => rm(folder, { recursive: true, force: true }))
  const store = options.store ?? (await openFileStore(folder))
  const parts = createTestParts(database, {
    config: {
      relay: { url: options.relayUrl, ratePerSecond: undefined, connections: options.connections ?? 4 },
      outboundGiveUpMs: options.giveUpMs ?? 3_600_000,
      ...(options.backoff ? { outboundBackoff: options.backoff } : {}),
      leaseMs: options.leaseMs ?? 30_000,
      pollMs: options.pollMs ?? 50,
      noticesFrom: options.noticesFrom,
    },
    ...(options.secretKeys ? { secretKeys: options.secretKeys } : {}),
  })
  return {
    store,
    folder,
    lines: parts.lines,
    errors: () => parts.errors().filter(({ msg }) => !OUT_OF_TIME.test(msg)),
    outOfTime: () => parts.lines.flatMap(({ msg, messageId }) => (OUT_OF_TIME.test(msg) && messageId) || []),
    wake: () => database.signal(OUTBOUND_QUEUE),
    stop: stopOnce(parts.wakeUps, startOutbound({ ...parts, store }, TEST_SITES)),
  }
}
