// All that a service process needs to be broken in one place: a database on a server of its own, a data folder and a
// relay. Knows nothing of what will break.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after } from 'node:test'
import { openServiceDatabase } from '../../src/database.ts'
import { createLog } from '../../src/lib/log.ts'
import { openFileStore } from '../../src/lib/object-store/file.ts'
import type { Database } from '../../src/lib/sql.ts'
import { createTestDatabase } from './database.ts'
import { TEST_SECRET_KEYS_TEXT } from './role-parts.ts'
import { type SinkBehaviour, type SmtpSink, startSmtpSink } from './smtp-sink.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { assertWhole } from './whole.ts'

export interface UnderFault {
  /** Straight to the server. */
  database: Database
  databaseUrl: string
  dataDir: string
  sink: SmtpSink
  /** For `startService`. With the lease that operators have: a short one could run out on a busy machine. */
  env: Record<string, string>
  /** Everything that must hold over the whole database holds. */
  assertWhole(): Promise<void>
}

export async function prepareService(behaviour: SinkBehaviour = {}): Promise<UnderFault> {
  const { database, url: databaseUrl } = await createTestDatabase({ alone: true })
  const dataDir = await temporaryFolder('mdk-fault-')
  const sink = await startSmtpSink(behaviour)
  after(async () => {
    await sink.stop()
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  })
  const env = {
    MDK_DATABASE_URL: databaseUrl,
    MDK_DATA_DIR: dataDir,
    MDK_SECRET_KEYS: TEST_SECRET_KEYS_TEXT,
    MDK_RELAY_URL: sink.url,
    MDK_RETURN_PATH_DOMAIN: 'bounce.test',
    MDK_WEBHOOK_ALLOW: '127.0.0.0/8',
    // Nobody answers there.
    MDK_DNS_SERVERS: '127.0.0.1:9',
    MDK_WEBHOOK_TIMEOUT: '2s',
    MDK_OUTBOUND_BACKOFF: '200ms..1s',
  }
  return {
    database,
    databaseUrl,
    dataDir,
    sink,
    env,
    assertWhole: async () => assertWhole(database, await openFileStore(join(dataDir, 'objects'))),
  }
}

/** Does something with the embedded database of a data folder, over the server that runs there or one for the moment. */
export async function insideDataFolder<T>(dataDir: string, work: (database: Database) => Promise<T>): Promise<T> {
  const config = { databaseUrl: undefined, dataDir }
  const { database, close } = await openServiceDatabase({ config, log: createLog('fatal'), hold: 'command' })
  try {
    return await work(database)
  } finally {
    await close()
  }
}

/** A proxy before a test's server, and the same database's URL through it. */
export async function proxyDatabase(databaseUrl: string): Promise<{ proxy: TcpProxy; url: string }> {
  const { username, hostname, port, pathname } = new URL(databaseUrl)
  const proxy = await startTcpProxy({ path: join(decodeURIComponent(hostname), `.s.PGSQL.${port}`) })
  return { proxy, url: `postgres://${username}@127.0.0.1:${proxy.port}${pathname}?sslmode=disable` }
}
