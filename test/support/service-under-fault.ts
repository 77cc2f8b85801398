// All that a service process needs to be broken in one place: a database on a server of its own, a data folder and a
// relay. Knows nothing of what will break.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after } from 'node:test'
import { openFileStore } from '../../src/lib/object-store/file.ts'
import type { Database } from '../../src/lib/sql.ts'
import { TEST_SECRET_KEYS_TEXT } from './api.ts'
import { createTestDatabase } from './database.ts'
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
  /** For `startService`. */
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
    MDK_LEASE: '6s',
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

/**
 * A proxy before a test's server, and the same database's URL through it. `limits` are settings of the client, such as
 * `{query_timeout: '3000'}`, for tests that would otherwise wait as long as the service does.
 */
export async function proxyDatabase(
  databaseUrl: string,
  limits: Record<string, string> = {},
): Promise<{ proxy: TcpProxy; url: string }> {
  const { username, hostname, port, pathname } = new URL(databaseUrl)
  const proxy = await startTcpProxy({ path: join(decodeURIComponent(hostname), `.s.PGSQL.${port}`) })
  const query = new URLSearchParams({ sslmode: 'disable', ...limits })
  return { proxy, url: `postgres://${username}@127.0.0.1:${proxy.port}${pathname}?${query}` }
}
