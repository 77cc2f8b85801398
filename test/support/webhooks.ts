// The webhooks role of one process, over a test's own database.
import { parseNetwork } from '../../src/lib/network.ts'
import type { Database } from '../../src/lib/sql.ts'
import { startWebhooks } from '../../src/roles/webhooks.ts'
import { type Backoff, WEBHOOK_QUEUE } from '../../src/webhooks/delivery-state.ts'
import type { ReplayPace } from '../../src/webhooks/replays/advance-replay.ts'
import { createTestParts, type LogLine, stopOnce } from './role-parts.ts'

export interface TestWebhooks {
  /** What went wrong so far. */
  errors(): LogLine[]
  /** The endpoints that were disabled so far. */
  disabled(): string[]
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
  replayPace?: ReplayPace
}

export function startTestWebhooks(database: Database, options: TestWebhooksOptions = {}): TestWebhooks {
  const parts = createTestParts(database, {
    config: {
      webhooks: {
        allow: (options.allow ?? ['127.0.0.0/8']).map(parseNetwork),
        backoffSeconds: options.backoff ?? [0.02, 0.02, 0.02, 0.02],
        timeoutMs: options.timeoutMs ?? 5_000,
      },
      leaseMs: options.leaseMs ?? 10_000,
      pollMs: options.pollMs ?? 50,
    },
  })
  return {
    errors: parts.errors,
    disabled: () => parts.lines.flatMap(({ msg, endpointId }) => (msg.includes('was disabled') && endpointId) || []),
    wake: () => database.signal(WEBHOOK_QUEUE),
    stop: stopOnce(parts.wakeUps, startWebhooks(parts, { replayPace: options.replayPace })),
  }
}
