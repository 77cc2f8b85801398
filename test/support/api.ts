// The api role of one process, on a free port, over a test's own database, and how a test asks it.
import { rm } from 'node:fs/promises'
import { after } from 'node:test'
import type { Config } from '../../src/config.ts'
import { openFileStore } from '../../src/lib/object-store/file.ts'
import type { S3Store } from '../../src/lib/object-store/s3.ts'
import type { ObjectStore } from '../../src/lib/object-store.ts'
import type { Database } from '../../src/lib/sql.ts'
import { newId } from '../../src/lib/uuid.ts'
import { startApi } from '../../src/roles/api.ts'
import { assertContract } from './contract.ts'
import { atTheEnd } from './database.ts'
import { createTestParts, stopOnce } from './role-parts.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { assertTenantScope, recordStatements } from './tenant-scope.ts'

export interface TestApi {
  url: string
  /** The sizes of the groups that were written. */
  groups: number[]
  stop(): Promise<void>
}

export interface TestApiOptions {
  /** Shared with a worker, for what it stores to be read. */
  store?: ObjectStore
  /** The store, when it has signed URLs of its own. */
  s3?: S3Store
  /** What is not as `SETTINGS` have it. */
  config?: Partial<Config>
  /** The key that the reference offers. */
  keyFor?: () => string
  /** What Amazon answers; it is not asked unless given. */
  readFromAmazon?: (url: URL) => Promise<string>
}

export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it asked for.
  body: any
}

/** Whatever the API asks of the database must bind the tenant: that is looked at before the database is dropped. */
export async function startTestApi(of: Database, options: TestApiOptions = {}): Promise<TestApi> {
  const { database, statements } = recordStatements(of)
  atTheEnd(of, () =>
    assertTenantScope(of, statements).catch((error: Error) => {
      // Thrown here it would keep the hooks that follow from stopping what they stop.
      process.stderr.write(`${error.message}\n`)
      process.exitCode = 1
    }),
  )
  const groups: number[] = []
  const { config, s3, keyFor, readFromAmazon = () => Promise.reject(new Error('nobody is there')) } = options
  const parts = createTestParts(database, {
    ...(config ? { config } : {}),
    metrics: { onGroup: (size) => groups.push(size) },
    wakeOver: of,
  })
  const store = options.store ?? (await openTestStore())
  const api = await startApi({ ...parts, store, s3 }, { readFromAmazon, keyFor })
  return { url: api.url, groups, stop: stopOnce(parts.wakeUps, api.stop) }
}

/** An empty store of files. */
export async function openTestStore(): Promise<ObjectStore> {
  const folder = await temporaryFolder('store-test-')
  after(() => rm(folder, { recursive: true, force: true }))
  return openFileStore(folder)
}

/** One request, whose answer must be as the contract says. A body that is neither text nor bytes goes as JSON. */
export async function call(
  url: string,
  method: string,
  path: string,
  options: { key?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const { key, body, headers } = options
  const raw = typeof body === 'string' || body instanceof Uint8Array
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(key ? { authorization: `Bearer ${key}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: raw ? (body as string) : JSON.stringify(body) }),
  }).catch(({ message, cause }: Error) => {
    // Of itself it says only that it failed.
    throw new Error(`${method} ${path}: ${message}: ${cause}`, { cause })
  })
  const text = await response.text()
  const json = response.headers.get('content-type')?.includes('json') ?? false
  const { status, headers: answered } = response
  const parsed = json ? JSON.parse(text) : text
  assertContract(method, path, status, answered, parsed)
  return { status, headers: answered, body: parsed }
}

/** POST /v1/messages with a key of its own unless one is given. */
export function send(url: string, key: string, body: unknown, idempotencyKey = `test-${newId()}`): Promise<Answer> {
  return call(url, 'POST', '/v1/messages', { key, body, headers: { 'idempotency-key': idempotencyKey } })
}
