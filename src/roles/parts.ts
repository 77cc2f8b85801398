// What every role of a process stands on, made once by serve.ts.
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { ObjectStore } from '../lib/object-store.ts'
import type { WakeUps } from '../lib/queue/wake-ups.ts'
import type { SecretKeys } from '../lib/secret-box.ts'
import type { Database } from '../lib/sql.ts'
import type { Metrics } from '../ops/metrics.ts'

export interface Parts {
  config: Config
  log: Logger
  metrics: Metrics
  database: Database
  wakeUps: WakeUps
  store: ObjectStore
  secretKeys: SecretKeys
}

/** How long a role may take to finish what is in flight. The process has 30 s for all of them. */
export const DRAIN_MS = 20_000
