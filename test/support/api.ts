// The API of one process, on a free port, over a test's own database.
import { rm } from 'node:fs/promises'
import { after } from 'node:test'
import pino from 'pino'
import { createCredentials } from '../../src/apps/credentials.ts'
import { createBlobLinks, createLocalTransfers } from '../../src/attachments/local-transfers.ts'
import { createS3Transfers } from '../../src/attachments/s3-transfers.ts'
import { createCursorCodec } from '../../src/events/cursor.ts'
import { createKeyHolder } from '../../src/idempotency/hold-key.ts'
import { parseNetwork } from '../../src/lib/network.ts'
import { openFileStore } from '../../src/lib/object-store/file.ts'
import type { S3Store } from '../../src/lib/object-store/s3.ts'
import type { ObjectStore } from '../../src/lib/object-store.ts'
import { createPublicFetch } from '../../src/lib/public-fetch.ts'
import { Secret } from '../../src/lib/secret.ts'
import { createSecretBox, parseSecretKeys } from '../../src/lib/secret-box.ts'
import type { Database } from '../../src/lib/sql.ts'
import { newId } from '../../src/lib/uuid.ts'
import { createSnsVerifier } from '../../src/mail/reports/sns-message.ts'
import { readReturnPath, returnPathSettings } from '../../src/mail/return-path.ts'
import { createSender } from '../../src/messages/send-message.ts'
import { buildApi } from '../../src/roles/build-api.ts'
import type { ServerDeps } from '../../src/servers/http/server.ts'
import { createSigningKeyring } from '../../src/webhooks/signing-keys.ts'
import { assertContract } from './contract.ts'
import { atTheEnd } from './database.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { assertTenantScope, recordStatements } from './tenant-scope.ts'

/** As MDK_SECRET_KEYS has them. */
export const TEST_SECRET_KEYS_TEXT = `1:${Buffer.alloc(32, 7).toString('base64')}`
export const TEST_SECRET_KEYS = parseSecretKeys(TEST_SECRET_KEYS_TEXT)

export const TEST_REPORT_SECRET = 'a secret the relay shares'
export const TEST_SES_TOPIC = 'arn:aws:sns:eu-west-1:123456789012:ses'

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
  dnsServers?: readonly string[]
  webhookTimeoutMs?: number
  uploadTtlSeconds?: number
  /** What Amazon answers. */
  readFromAmazon?: (url: URL) => Promise<string>
  /** Nothing is limited unless given. */
  gate?: Pick<ServerDeps, 'gate' | 'trustedProxies'>
  downloadTtlSeconds?: number
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
  const store = options.store ?? (await openTestStore())
  const allow = ['127.0.0.0/8'].map(parseNetwork)
  const publicFetch = createPublicFetch({
    allow,
    dnsServers: options.dnsServers ?? [],
    timeoutMs: options.webhookTimeoutMs ?? 5_000,
  })
  const box = createSecretBox(TEST_SECRET_KEYS)
  const blobLinks = createBlobLinks(box)
  let url = ''
  const failures: unknown[] = []
  const credentials = createCredentials(database, (error) => failures.push(error))
  const groups: number[] = []
  const sender = createSender({
    database,
    idempotencyTtlSeconds: 86_400,
    onGroup: (size) => groups.push(size),
  })
  const heldKeys = createKeyHolder(database, (error) => failures.push(error))
  const app = buildApi({
    log: pino({ level: 'silent' }),
    database,
    store,
    sender,
    cursors: createCursorCodec(TEST_SECRET_KEYS),
    verifyKey: credentials.verify,
    ...options.gate,
    idempotencyTtlSeconds: 86_400,
    heldKeys,
    transfers: options.s3 ? createS3Transfers(options.s3) : createLocalTransfers(blobLinks, store, () => url),
    uploadTtlSeconds: options.uploadTtlSeconds ?? 600,
    downloadTtlSeconds: options.downloadTtlSeconds ?? 60,
    blobLinks: options.s3 ? undefined : blobLinks,
    reportSecret: new Secret(TEST_REPORT_SECRET),
    sesTopic: TEST_SES_TOPIC,
    sns: createSnsVerifier(options.readFromAmazon ?? (() => Promise.reject(new Error('nobody is there')))),
    returnPath: (address) => readReturnPath(address, returnPathSettings('bounce.test', TEST_SECRET_KEYS)),
    publicFetch,
    allow,
    box,
    keyring: createSigningKeyring(box),
    onAnswer: () => {},
  })
  url = await app.listen({ host: '127.0.0.1', port: 0 })
  const stop = async () => {
    await app.close()
    heldKeys.stop()
    await sender.drain()
    await credentials.stop()
    await publicFetch.close()
  }
  after(stop)
  return { url, groups, stop }
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
