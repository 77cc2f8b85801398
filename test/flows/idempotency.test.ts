// One key, one effect: for each operation that takes an Idempotency-Key, whatever is sent with it again, by whom, how
// it is written, and when. specification.md#idempotency

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { type Author, authorId, type MailboxUser } from '../../src/access/actor.ts'
import { SCOPES } from '../../src/access/permissions.ts'
import { createApp } from '../../src/apps/create-app.ts'
import { createKey } from '../../src/apps/create-key.ts'
import { answerOnce } from '../../src/idempotency/answer-once.ts'
import { createKeyHolder } from '../../src/idempotency/hold-key.ts'
import { sweepIdempotencyKeys } from '../../src/idempotency/sweep-keys.ts'
import { newId } from '../../src/lib/uuid.ts'
import { type Answer, call, openTestStore, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { keyHasher } from '../support/hash-turns.ts'
import { applicationOf } from '../support/one-of-each.ts'
import { operatorOf } from '../support/operator.ts'
import { startReceiver } from '../support/receiver.ts'
import { TEST_SECRET_KEYS_TEXT } from '../support/role-parts.ts'
import { startService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { createTestTenant, type TestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'

const { database, url: databaseUrl } = await createTestDatabase()
const { url } = await startTestApi(database, { store: await openTestStore() })
const receiver = await startReceiver()

const bytes = Buffer.from('content')
const sha256 = createHash('sha256').update(bytes).digest('hex')

interface Asked {
  path: string
  body?: unknown
}

interface Marked {
  status: number
  /** The id of what it made. */
  id(answer: Answer): string
  /** A request; another number, another request. */
  ask(caller: Caller, number: number): Asked
  /** One that is refused after its key was read. */
  wrong(caller: Caller): Asked
}

/** Somebody with a key, and two deliveries to replay. */
interface Caller extends TestTenant {
  deliveries: string[]
}

const mail = ({ mailboxId }: TestTenant, n: number) => ({
  fromMailboxId: mailboxId,
  to: ['a@example.test'],
  text: String(n),
})
const upload = ({ mailboxId }: TestTenant, n: number) => ({
  mailboxId,
  filename: `${n}.txt`,
  mediaType: 'text/plain',
  contentBase64: bytes.toString('base64'),
})
const announce = ({ mailboxId }: TestTenant, n: number) => ({
  mailboxId,
  filename: `${n}.txt`,
  mediaType: 'text/plain',
  sizeBytes: bytes.length,
  sha256,
})
const elsewhere = () => ({ mailboxId: newId() }) as TestTenant

const MARKED: Record<string, Marked> = {
  sendMessage: {
    status: 202,
    id: ({ body }) => body.id,
    ask: (caller, n) => ({ path: '/v1/messages', body: mail(caller, n) }),
    wrong: () => ({ path: '/v1/messages', body: mail(elsewhere(), 0) }),
  },
  uploadAttachment: {
    status: 201,
    id: ({ body }) => body.attachment.id,
    ask: (caller, n) => ({ path: '/v1/attachments', body: upload(caller, n) }),
    wrong: () => ({ path: '/v1/attachments', body: upload(elsewhere(), 0) }),
  },
  prepareAttachmentUpload: {
    status: 201,
    id: ({ body }) => body.uploadId,
    ask: (caller, n) => ({ path: '/v1/attachments/uploads', body: announce(caller, n) }),
    wrong: () => ({ path: '/v1/attachments/uploads', body: announce(elsewhere(), 0) }),
  },
  replayWebhookDelivery: {
    status: 202,
    id: ({ body }) => `${body.id} ${body.cycle}`,
    ask: ({ deliveries }, n) => ({ path: `/v1/webhook-deliveries/${deliveries[n % 2]}/replay` }),
    wrong: () => ({ path: `/v1/webhook-deliveries/${newId()}/replay` }),
  },
}
const OPERATIONS = Object.entries(MARKED)

const post = (caller: { key: string }, key: string, { path, body }: Asked) =>
  call(url, 'POST', path, { key: caller.key, body, headers: { 'idempotency-key': key } })

const isReplay = ({ headers }: Answer) => headers.get('idempotent-replayed') === 'true'

function made(answer: Answer, operation: Marked, replayed: boolean): string {
  assert.equal(answer.status, operation.status, JSON.stringify(answer.body))
  assert.equal(isReplay(answer), replayed)
  return operation.id(answer)
}

function refused(answer: Answer, status: number, code: string): void {
  assert.deepEqual([answer.status, answer.body.code], [status, code])
  assert(!isReplay(answer))
}

async function callerOf(app: TestTenant): Promise<Caller> {
  const endpoint = { url: receiver.url, eventTypes: ['*'] }
  assert.equal((await post(app, newId(), { path: '/v1/webhook-endpoints', body: endpoint })).status, 201)
  for (const n of [1, 2]) {
    assert.equal((await post(app, newId(), { path: '/v1/messages', body: mail(app, n) })).status, 202)
  }
  const { body } = await call(url, 'GET', '/v1/webhook-deliveries', { key: app.key })
  return { ...app, deliveries: body.items.map(({ id }: { id: string }) => id) }
}

const caller = await callerOf(await createTestTenant(database))

test('the same again gets the first answer, other content or another target a conflict', async () => {
  for (const [, operation] of OPERATIONS) {
    const key = newId()
    const first = made(await post(caller, key, operation.ask(caller, 1)), operation, false)
    assert.equal(made(await post(caller, key, operation.ask(caller, 1)), operation, true), first)
    refused(await post(caller, key, operation.ask(caller, 2)), 409, 'idempotency_conflict')
    assert.equal(made(await post(caller, key, operation.ask(caller, 1)), operation, true), first)
  }
})

test('a key that one operation has used is a conflict for every other', async () => {
  for (const [name, operation] of OPERATIONS) {
    const key = newId()
    const first = made(await post(caller, key, operation.ask(caller, 1)), operation, false)
    for (const [, other] of OPERATIONS.filter(([each]) => each !== name)) {
      refused(await post(caller, key, other.ask(caller, 1)), 409, 'idempotency_conflict')
    }
    assert.equal(made(await post(caller, key, operation.ask(caller, 1)), operation, true), first)
  }
})

test('two applications may use the same key for different things, and so may two tenants', async () => {
  const { id: appId } = await createApp(database, operatorOf(caller.tenantId), {
    name: 'Other',
    environment: 'production',
  })
  const { key: apiKey } = await createKey({ database, keyHasher }, operatorOf(caller.tenantId), {
    appId,
    scopes: SCOPES,
  })
  const beside = await callerOf({ ...caller, appId, key: apiKey })
  const stranger = await callerOf(await createTestTenant(database))
  for (const [, operation] of OPERATIONS) {
    const key = newId()
    const ids = []
    for (const [n, each] of [caller, beside, stranger].entries()) {
      ids.push(made(await post(each, key, operation.ask(each, n)), operation, false))
    }
    assert.equal(new Set(ids).size, 3)
    for (const [n, each] of [caller, beside, stranger].entries()) {
      assert.equal(made(await post(each, key, operation.ask(each, n)), operation, true), ids[n])
    }
  }
})

test('the next API key of an application gets the answers of the one before', async () => {
  const next = {
    ...caller,
    ...(await createKey({ database, keyHasher }, operatorOf(caller.tenantId), { appId: caller.appId, scopes: SCOPES })),
  }
  for (const [, operation] of OPERATIONS) {
    const key = newId()
    const first = made(await post(caller, key, operation.ask(caller, 1)), operation, false)
    assert.equal(made(await post(next, key, operation.ask(next, 1)), operation, true), first)
  }
})

test('a request that is refused leaves its key free', async () => {
  for (const [name, operation] of OPERATIONS) {
    const key = newId()
    refused(await post(caller, key, operation.wrong(caller)), 404, 'not_found')
    if (name !== 'replayWebhookDelivery') {
      const { path, body } = operation.ask(caller, 1)
      refused(await post(caller, key, { path, body: { ...(body as object), more: 1 } }), 400, 'validation_error')
      refused(await post(caller, key, { path, body: '{' }), 400, 'invalid_json')
    }
    made(await post(caller, key, operation.ask(caller, 2)), operation, false)
  }
})

test('however the same JSON is written, it is the same request', async () => {
  const { mailboxId } = caller
  for (const [name, forms] of Object.entries({
    sendMessage: [
      `{"fromMailboxId":"${mailboxId}","to":["a@example.test"],"text":"x/y"}`,
      `\n{ "text" : "\\u0078\\/y", "to":["a\\u0040example.test"], "cc":[], "fromMailboxId":"${mailboxId}" }\n`,
    ],
    uploadAttachment: [
      `{"mailboxId":"${mailboxId}","filename":"a.txt","mediaType":"text/plain","contentBase64":"eA=="}`,
      `{"contentBase64":"eA\\u003d=","mediaType":"text\\/plain","filename":"\\u0061.txt","mailboxId":"${mailboxId}"}`,
    ],
    prepareAttachmentUpload: ['7', '7.0', '0.7e1', '70E-1'].map(
      (size, i) =>
        `{${i % 2 ? `"sizeBytes":${size},` : ''}"mailboxId":"${mailboxId}", "filename":"a.txt",
        "sha256":"${sha256}","mediaType":"text/plain"${i % 2 ? '' : `,"sizeBytes" : ${size}`}}`,
    ),
  })) {
    const operation = MARKED[name] as Marked
    const { path } = operation.ask(caller, 1)
    const key = newId()
    const [first, ...others] = forms as [string, ...string[]]
    const id = made(await post(caller, key, { path, body: first }), operation, false)
    for (const body of others) assert.equal(made(await post(caller, key, { path, body }), operation, true), id)
  }
})

const moveExpiry = (key: string, seconds: number) =>
  database.pool.query(
    `update idempotency_keys set expires_at = clock_timestamp() + make_interval(secs => $2) where key = $1`,
    [key, seconds],
  )

test('a key is kept for 24 hours by the clock of the database, and then free', async () => {
  for (const [, operation] of OPERATIONS) {
    const key = newId()
    const before = await database.pool.query('select clock_timestamp() as now')
    const first = made(await post(caller, key, operation.ask(caller, 1)), operation, false)
    const { rows } = await database.pool.query(
      `select reserved_at between $2 and clock_timestamp() as now,
        extract(epoch from expires_at - reserved_at)::int as seconds
      from idempotency_keys where key = $1`,
      [key, before.rows[0].now],
    )
    assert.deepEqual(rows, [{ now: true, seconds: 86_400 }])
    await moveExpiry(key, 60)
    assert.equal(made(await post(caller, key, operation.ask(caller, 1)), operation, true), first)
    await moveExpiry(key, 0)
    assert.notEqual(made(await post(caller, key, operation.ask(caller, 2)), operation, false), first)
  }
})

test('keys whose time is over are swept, others stay', async () => {
  const operation = MARKED.sendMessage as Marked
  const keys = { over: newId(), still: newId() }
  for (const key of Object.values(keys)) made(await post(caller, key, operation.ask(caller, 1)), operation, false)
  await moveExpiry(keys.over, 0)
  await moveExpiry(keys.still, 60)
  while ((await sweepIdempotencyKeys(database, 100)) > 0);
  const { rows } = await database.pool.query('select key from idempotency_keys where key = any ($1)', [
    Object.values(keys),
  ])
  assert.deepEqual(rows, [{ key: keys.still }])
})

// What follows is about a first request that takes its time: a legacy upload whose body comes slowly.

interface SlowUpload {
  socket: Socket
  /** Sends what was held back, and gives the answer. */
  finish(): Promise<{ status: number; replayed: boolean; body: { attachment?: { id: string }; code?: string } }>
}

/** Sends an upload but for its last octet, and waits until its key is held. */
async function startSlowly(to: string, key: string, body: string): Promise<SlowUpload> {
  const { hostname, port } = new URL(to)
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += chunk
  })
  socket.on('error', () => {})
  socket.write(
    `POST /v1/attachments HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${caller.key}\r\nidempotency-key: ${key}\r\n` +
      `content-type: application/json\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, -1)}`,
  )
  await until('the key is held', () => isHeld(key))
  return {
    socket,
    async finish() {
      socket.write(body.slice(-1))
      await new Promise((resolve) => socket.once('close', resolve))
      const [head = '', rest = ''] = text.split('\r\n\r\n')
      return {
        status: Number(head.split(' ')[1]),
        replayed: /^idempotent-replayed: true/im.test(head),
        body: JSON.parse(rest),
      }
    },
  }
}

async function isHeld(key: string): Promise<boolean> {
  const { rows } = await database.pool.query(
    'select status_code is null as held, extract(epoch from expires_at - reserved_at) <= 60 as briefly from idempotency_keys where key = $1',
    [key],
  )
  return rows[0]?.held === true && rows[0].briefly === true
}

const uploading = MARKED.uploadAttachment as Marked
const slowBody = JSON.stringify(upload(caller, 1))

function isPending(answer: Answer): void {
  refused(answer, 409, 'idempotency_pending')
  assert.equal(answer.headers.get('retry-after'), '1')
}

test('while the first request is running others with its key are answered so, and then get its answer', async () => {
  const key = newId()
  const slow = await startSlowly(url, key, slowBody)
  isPending(await post(caller, key, uploading.ask(caller, 1)))
  isPending(await post(caller, key, uploading.ask(caller, 2)))
  refused(await post(caller, key, (MARKED.sendMessage as Marked).ask(caller, 1)), 409, 'idempotency_conflict')
  refused(
    await post(caller, key, (MARKED.prepareAttachmentUpload as Marked).ask(caller, 1)),
    409,
    'idempotency_conflict',
  )
  assert(await isHeld(key), 'none of them freed it')
  const first = await slow.finish()
  assert.deepEqual([first.status, first.replayed], [201, false])
  assert.equal(made(await post(caller, key, uploading.ask(caller, 1)), uploading, true), first.body.attachment?.id)
  refused(await post(caller, key, uploading.ask(caller, 2)), 409, 'idempotency_conflict')
})

test('a slow request that is refused or broken off frees its key', async () => {
  const key = newId()
  const bad = await startSlowly(url, key, slowBody.replace('"filename"', '"nonsense"'))
  assert.equal((await bad.finish()).status, 400)
  assert(!(await isHeld(key)))
  const broken = await startSlowly(url, key, slowBody)
  broken.socket.destroy()
  await until('the key is free', async () => !(await isHeld(key)))
  made(await post(caller, key, uploading.ask(caller, 1)), uploading, false)
})

test('a key is held for as long as its request is under way, and free a lease after its process is gone', async () => {
  const key = newId()
  const holder = createKeyHolder(database, (error) => assert.fail(String(error)), 400)
  const actor = applicationOf(caller.tenantId, caller.appId, 'production')
  const held = await holder.hold(actor, { key, operation: 'uploadAttachment' }, newId())
  const expiry = async () => {
    const { rows } = await database.pool.query('select expires_at as at from idempotency_keys where key = $1', [key])
    return Date.parse(rows[0].at)
  }
  const first = await expiry()
  await until('several leases have passed', async () => (await expiry()) > first + 1_200)
  isPending(await post(caller, key, uploading.ask(caller, 1)))
  // One that is gone renews nothing.
  holder.stop()
  await until('the key is free', async () => {
    const answer = await post(caller, key, uploading.ask(caller, 1))
    if (answer.status === 409) return false
    made(answer, uploading, false)
    return true
  })
  await holder.free(held)
  made(await post(caller, key, uploading.ask(caller, 1)), uploading, true)
})

test('of a first request that took longer than its key was held and the second, one is carried out', async () => {
  for (const [again, status] of [
    [1, 201],
    [2, 409],
  ] as const) {
    const key = newId()
    const slow = await startSlowly(url, key, slowBody)
    await moveExpiry(key, 0)
    const second = made(await post(caller, key, uploading.ask(caller, again)), uploading, false)
    const first = await slow.finish()
    assert.equal(first.status, status)
    if (status === 201) assert.deepEqual([first.replayed, first.body.attachment?.id], [true, second])
    else assert.equal(first.body.code, 'idempotency_conflict')
    const { rows } = await database.pool.query('select resource_id, status_code from idempotency_keys where key = $1', [
      key,
    ])
    assert.deepEqual(rows, [{ resource_id: second, status_code: 201 }])
  }
})

test('a process that is killed leaves its key pending for a few seconds', async () => {
  const dataDir = await temporaryFolder('mdk-idempotency-')
  after(() => rm(dataDir, { recursive: true, force: true }))
  const env = { MDK_DATABASE_URL: databaseUrl, MDK_DATA_DIR: dataDir, MDK_SECRET_KEYS: TEST_SECRET_KEYS_TEXT }
  const service = await startService(env, ['serve', '--roles', 'api'])
  const key = newId()
  await startSlowly(service.url, key, slowBody)
  await service.kill()
  isPending(await post(caller, key, uploading.ask(caller, 1)))
  const later = await until(
    'the key is free',
    async () => {
      const answer = await post(caller, key, uploading.ask(caller, 1))
      return answer.status !== 409 && answer
    },
    30_000,
  )
  made(later, uploading, false)
})

test('a mailbox user has keys of their own: the same key of an application, or of another user, is another', async () => {
  const { tenantId, appId, mailboxId } = await createTestTenant(database)
  const origin = { requestId: newId(), clientAddress: '192.0.2.1', userAgent: null }
  const user = (): MailboxUser => ({
    ...{ kind: 'mailbox_user', tenantId, environmentId: tenantId, mailboxUserId: newId(), origin },
    mailboxes: new Map([[mailboxId, 'write']]),
  })
  const request = { key: newId(), operation: 'test', target: '', input: {} }
  const ask = (actor: Author) =>
    database.transaction((tx) =>
      answerOnce(tx, actor, request, 60, async () => ({ status: 200, resourceId: newId(), body: authorId(actor) })),
    )
  const [one, other] = [user(), user()]
  const authors = [applicationOf(tenantId, appId, 'production'), one, other]
  for (const author of authors) assert.deepEqual((await ask(author)).replayed, false)
  for (const author of authors) {
    const { replayed, body } = await ask(author)
    assert.deepEqual([replayed, body], [true, authorId(author)])
  }
})
