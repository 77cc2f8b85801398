// The webhook worker of one process, over a test's own database.
import { after } from 'node:test'
import { EVENTS_TOPIC } from '../../src/events/append.ts'
import { parseNetwork } from '../../src/lib/network.ts'
import { createPublicFetch } from '../../src/lib/public-fetch.ts'
import { createWakeUps } from '../../src/lib/queue/wake-ups.ts'
import { startWorker } from '../../src/lib/queue/worker.ts'
import { createSecretBox } from '../../src/lib/secret-box.ts'
import type { Database } from '../../src/lib/sql.ts'
import { CONCURRENCY, ENDPOINT_CAP, TENANT_CAP } from '../../src/roles/webhooks.ts'
import {
  type Backoff,
  MAX_CONSECUTIVE_FAILURES,
  MAX_RECEPTIONS,
  WEBHOOK_QUEUE,
} from '../../src/webhooks/delivery-state.ts'
import { createSigningKeyring } from '../../src/webhooks/signing-keys.ts'
import { createDeliverer } from '../../src/workers/webhooks/deliver.ts'
import { TEST_SECRET_KEYS } from './api.ts'

export interface TestWebhooks {
  errors: unknown[]
  disabled: string[]
  wake(): void
  stop(): Promise<void>
}

export interface TestWebhooksOptions {
  /** Lower bounds of the waits, in seconds. */
  backoff?: Backoff
  timeoutMs?: number
  leaseMs?: number
  pollMs?: number
  allow?: string[]
}

export function startTestWebhooks(database: Database, options: TestWebhooksOptions = {}): TestWebhooks {
  const errors: unknown[] = []
  const disabled: string[] = []
  const wakeUps = createWakeUps(database, (error) => errors.push(error))
  const publicFetch = createPublicFetch({
    allow: (options.allow ?? ['127.0.0.0/8']).map(parseNetwork),
    dnsServers: [],
    timeoutMs: options.timeoutMs ?? 5_000,
  })
  const worker = startWorker({
    queue: WEBHOOK_QUEUE,
    database,
    wakeUps,
    wokenBy: [EVENTS_TOPIC],
    handle: createDeliverer({
      database,
      publicFetch,
      keyring: createSigningKeyring(createSecretBox(TEST_SECRET_KEYS)),
      backoff: options.backoff ?? [0.02, 0.02, 0.02, 0.02],
      failureLimit: MAX_CONSECUTIVE_FAILURES,
      random: Math.random,
      onAttempt: () => {},
      onDisabled: ({ id }) => disabled.push(id),
      onOutOfTime: (error) => errors.push(error),
    }),
    concurrency: CONCURRENCY,
    laneCap: ENDPOINT_CAP,
    tenantCap: TENANT_CAP,
    receptionBudget: MAX_RECEPTIONS,
    leaseMs: options.leaseMs ?? 10_000,
    pollMs: options.pollMs ?? 50,
    onError: (error) => errors.push(error),
  })
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= worker.stop(5_000).then(() => Promise.all([publicFetch.close(), wakeUps.stop()]).then(() => {}))
    return stopped
  }
  after(stop)
  return { errors, disabled, wake: () => database.signal(WEBHOOK_QUEUE), stop }
}
