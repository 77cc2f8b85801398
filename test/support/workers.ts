// The outbound worker of one process, over a test's own database, store and relay.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import pino from 'pino'
import { openFileStore } from '../../src/lib/object-store/file.ts'
import type { ObjectStore } from '../../src/lib/object-store.ts'
import { createWakeUps } from '../../src/lib/queue/wake-ups.ts'
import { startWorker } from '../../src/lib/queue/worker.ts'
import { createSecretBox, type SecretKeys } from '../../src/lib/secret-box.ts'
import type { Database } from '../../src/lib/sql.ts'
import { signEnvelopeId } from '../../src/mail/envelope-id.ts'
import { returnPathSettings, signReturnPath } from '../../src/mail/return-path.ts'
import { createRelay } from '../../src/mail/smtp/relay.ts'
import { createDkimKeyring } from '../../src/mailboxes/dkim-keyring.ts'
import { OUTBOUND_QUEUE } from '../../src/messages/accept-messages.ts'
import { createSubmitter, OUTBOUND_RECEPTIONS } from '../../src/workers/outbound/submit-message.ts'
import { TEST_SECRET_KEYS } from './api.ts'

export interface TestOutbound {
  store: ObjectStore
  folder: string
  errors: unknown[]
  /** The messages that took the database too long, as often as they did. */
  outOfTime: string[]
  wake(): void
  stop(): Promise<void>
}

export interface TestOutboundOptions {
  relayUrl: string
  backoff?: { firstMs: number; mostMs: number }
  giveUpMs?: number
  leaseMs?: number
  pollMs?: number
  connections?: number
  store?: ObjectStore
  secretKeys?: SecretKeys
}

export const RETURN_PATH = returnPathSettings('bounce.test', TEST_SECRET_KEYS)

export async function startTestOutbound(database: Database, options: TestOutboundOptions): Promise<TestOutbound> {
  const folder = await mkdtemp(join(tmpdir(), 'outbound-test-'))
  const store = options.store ?? (await openFileStore(folder))
  const errors: unknown[] = []
  const outOfTime: string[] = []
  const wakeUps = createWakeUps(database, (error) => errors.push(error))
  const connections = options.connections ?? 4
  const relay = createRelay({ url: options.relayUrl, connections, log: pino({ level: 'silent' }) })
  const worker = startWorker({
    queue: OUTBOUND_QUEUE,
    database,
    wakeUps,
    handle: createSubmitter({
      database,
      store,
      relay,
      returnPathOf: (messageId) => signReturnPath(messageId, RETURN_PATH),
      envelopeIdOf: (messageId) => signEnvelopeId(messageId, RETURN_PATH),
      dkimKeys: createDkimKeyring(createSecretBox(options.secretKeys ?? TEST_SECRET_KEYS)),
      backoff: options.backoff ?? { firstMs: 100, mostMs: 400 },
      giveUpMs: options.giveUpMs ?? 3_600_000,
      random: () => 0,
      onResult: () => {},
      onTrouble: (error) => errors.push(error),
      onOutOfTime: (_, messageId) => outOfTime.push(messageId),
    }),
    concurrency: connections * 8,
    laneCap: 500,
    receptionBudget: OUTBOUND_RECEPTIONS,
    leaseMs: options.leaseMs ?? 30_000,
    pollMs: options.pollMs ?? 50,
    onError: (error) => errors.push(error),
  })
  let stopped = false
  const stop = async () => {
    if (stopped) return
    stopped = true
    // As the role does.
    await Promise.all([worker.stop(5_000), relay.close(4_000)])
    await wakeUps.stop()
    await rm(folder, { recursive: true, force: true })
  }
  after(stop)
  return { store, folder, errors, outOfTime, wake: () => database.signal(OUTBOUND_QUEUE), stop }
}
