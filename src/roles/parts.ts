// What every role of a process stands on, made once by serve.ts.
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { HashTurns } from '../lib/hash-turns.ts'
import type { S3Store } from '../lib/object-store/s3.ts'
import type { ObjectStore } from '../lib/object-store.ts'
import type { WakeUps } from '../lib/queue/wake-ups.ts'
import type { SecretKeys } from '../lib/secret-box.ts'
import type { Database } from '../lib/sql.ts'
import type { WatchedKeyPair } from '../lib/tls/watch-key-pair.ts'
import type { Metrics } from '../servers/ops/metrics.ts'

export interface Parts {
  config: Config
  log: Logger
  metrics: Metrics
  database: Database
  wakeUps: WakeUps
  store: ObjectStore
  /** The same store when it has signed URLs of its own. */
  s3: S3Store | undefined
  secretKeys: SecretKeys
  /** Of the whole process: API keys and passwords take turns. */
  hashTurns: HashTurns
  /** By which the listeners of HTTP speak HTTPS; plain HTTP without. */
  certificate?: WatchedKeyPair | undefined
  /** Whether the console and the webmail are bundled again whenever a source of theirs changes. */
  watchFrontEnds?: boolean
}

/** How long a role may take to finish what is in flight, at the same time as the others. The process has 30 s for all. */
export const DRAIN_MS = 20_000
