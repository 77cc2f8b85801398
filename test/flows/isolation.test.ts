// Who sees what: every operation, asked with every kind of id by everybody who must not see what the id names, answers
// as if it never was, and changes nothing. Beside it: every operation with every single scope.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import { parse } from 'yaml'
import type { Environment } from '../../src/access/actor.ts'
import { SCOPES } from '../../src/access/permissions.ts'
import { createApp } from '../../src/apps/create-app.ts'
import { createKey } from '../../src/apps/create-key.ts'
import { newId } from '../../src/lib/uuid.ts'
import { OPERATIONS } from '../../src/servers/api/operations.ts'
import { type Answer, call, openTestStore, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { feedCaughtUp } from '../support/feed.ts'
import { keyHasher } from '../support/hash-turns.ts'
import { operatorOf } from '../support/operator.ts'
import { startReceiver } from '../support/receiver.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { createTestTenant, type TestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'
import { startTestOutbound } from '../support/workers.ts'

const { database } = await createTestDatabase()
const store = await openTestStore()
const { url } = await startTestApi(database, { store })
const receiver = await startReceiver()
const relay = await startSmtpSink()
after(relay.stop)
const outbound = await startTestOutbound(database, { relayUrl: relay.url, store })

type Kind = 'mailbox' | 'message' | 'event' | 'upload' | 'attachment' | 'endpoint' | 'delivery' | 'replay'

/** An application and one of each thing that it made. */
interface Owner extends TestTenant {
  name: string
  environment: Environment
  ids: Record<Kind, string>
}

interface Aim {
  kind: Kind
  /** What names nothing of the caller's lets nothing pass; otherwise it is 404. */
  filters?: true
  /** What the caller asks when it names this id; everything else in it is the caller's own. */
  ask(id: string, caller: Owner): { path: string; body?: unknown }
}

const inPath = (kind: Kind, path: string, body?: (caller: Owner) => unknown): Aim => ({
  kind,
  ask: (id, caller) => ({ path: path.replace('*', id), body: body?.(caller) }),
})
const inQuery = (kind: Kind, path: string): Aim => ({ kind, ask: (id) => ({ path: path + id }) })
const filters = (kind: Kind, path: string): Aim => ({ ...inQuery(kind, path), filters: true })
const inBody = (kind: Kind, path: string, body: (id: string, caller: Owner) => unknown): Aim => ({
  kind,
  ask: (id, caller) => ({ path: path.replace('*', caller.ids.message), body: body(id, caller) }),
})

const mail = (fromMailboxId: string, more = {}) => ({ fromMailboxId, to: ['silent@example.test'], text: 'x', ...more })
const bytes = Buffer.from('content')
const file = (mailboxId: string) => ({ mailboxId, filename: 'a.txt', mediaType: 'text/plain' })
const announced = (mailboxId: string) => ({
  ...file(mailboxId),
  sizeBytes: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
})

/** What a key must have for each operation that needs one. */
const NEEDED = new Map(OPERATIONS.flatMap(({ name, scope }) => (scope ? [[name, scope] as const] : [])))

/** Every id that every operation takes. What changes or ends a thing comes after what reads it. */
const AIMS: Record<string, Aim[]> = {
  listMailboxes: [],
  listDomains: [],
  listEvents: [filters('message', '/v1/events?resourceId=')],
  getEvent: [inPath('event', '/v1/events/*')],
  listWebhookEndpoints: [],
  createWebhookEndpoint: [],
  listMessages: [inQuery('mailbox', '/v1/messages?mailboxId=')],
  listWebhookDeliveries: [
    inQuery('endpoint', '/v1/webhook-deliveries?endpointId='),
    filters('event', '/v1/webhook-deliveries?eventId='),
  ],
  getWebhookEndpoint: [inPath('endpoint', '/v1/webhook-endpoints/*')],
  getWebhookDelivery: [inPath('delivery', '/v1/webhook-deliveries/*')],
  getMessage: [inPath('message', '/v1/messages/*')],
  getRawMessage: [inPath('message', '/v1/messages/*/raw')],
  getAttachment: [inPath('attachment', '/v1/attachments/*')],
  downloadAttachment: [inPath('attachment', '/v1/attachments/*/download')],
  getAttachmentDownloadUrl: [inPath('attachment', '/v1/attachments/*/download-url')],
  sendMessage: [
    inBody('mailbox', '/v1/messages', (id) => mail(id)),
    inBody('attachment', '/v1/messages', (id, { mailboxId }) => mail(mailboxId, { attachmentIds: [id] })),
  ],
  updateMessage: [
    inPath('message', '/v1/messages/*', ({ mailboxId }) => ({ mailboxId, isStarred: true })),
    inBody('mailbox', '/v1/messages/*', (mailboxId) => ({ mailboxId, isStarred: false })),
  ],
  prepareAttachmentUpload: [inBody('mailbox', '/v1/attachments/uploads', announced)],
  completeAttachmentUpload: [inPath('upload', '/v1/attachments/uploads/*/complete')],
  uploadAttachment: [
    inBody('mailbox', '/v1/attachments', (id) => ({ ...file(id), contentBase64: bytes.toString('base64') })),
  ],
  listWebhookAttempts: [inPath('delivery', '/v1/webhook-deliveries/*/attempts')],
  replayWebhookDelivery: [inPath('delivery', '/v1/webhook-deliveries/*/replay')],
  getWebhookReplay: [inPath('replay', '/v1/webhook-replays/*')],
  stopWebhookReplay: [inPath('replay', '/v1/webhook-replays/*/stop')],
  replayWebhookEndpoint: [inPath('endpoint', '/v1/webhook-endpoints/*/replay', () => ({ since: '2026-01-01' }))],
  testWebhookEndpoint: [inPath('endpoint', '/v1/webhook-endpoints/*/test')],
  updateWebhookEndpoint: [inPath('endpoint', '/v1/webhook-endpoints/*', () => ({ description: 'changed' }))],
  rotateWebhookEndpointSecret: [inPath('endpoint', '/v1/webhook-endpoints/*/rotate-secret')],
  deleteWebhookEndpoint: [inPath('endpoint', '/v1/webhook-endpoints/*')],
}

interface OperationObject {
  operationId: string
  parameters?: { schema?: unknown }[]
  requestBody?: { content: Record<string, { schema: { $ref: string } }> }
}

interface Declared {
  method: string
  path: string
  /** How many ids it takes: in its path, its query and its body. */
  ids: number
}

/** The operations as the contract declares them. */
const contract = parse(await readFile(new URL('../../openapi.yaml', import.meta.url), 'utf8'))
const DECLARED = new Map<string, Declared>()
for (const [path, methods] of Object.entries(contract.paths as Record<string, Record<string, OperationObject>>)) {
  for (const [method, operation] of Object.entries(methods)) {
    // The others are asked with a URL that was signed for one thing.
    if (NEEDED.has(operation.operationId as never))
      DECLARED.set(operation.operationId, { method: method.toUpperCase(), path, ids: idsOf(operation) })
  }
}

/** Whatever has the format of an id in the parameters and the body. */
function idsOf({ parameters = [], requestBody }: OperationObject): number {
  const reference = requestBody?.content['application/json']?.schema.$ref
  const body = reference && contract.components.schemas[reference.split('/').at(-1) as string]
  return [...parameters.map(({ schema }) => schema), body].flatMap(
    (schema) => JSON.stringify(schema ?? {}).match(/"format":"uuid"/g) ?? [],
  ).length
}

const request = (caller: { key: string }, operation: string, path: string, body?: unknown) =>
  call(url, DECLARED.get(operation)?.method as string, path, {
    key: caller.key,
    body,
    headers: { 'idempotency-key': newId() },
  })

function ok(answer: Answer) {
  assert(answer.status < 300, JSON.stringify(answer.body))
  return answer.body
}

/** Makes one of each thing. */
async function possess(name: string, environment: Environment, app: TestTenant): Promise<Owner> {
  const ask = async (operation: string, path: string, body?: unknown) => ok(await request(app, operation, path, body))
  const { endpoint } = await ask('createWebhookEndpoint', '/v1/webhook-endpoints', {
    url: receiver.url,
    eventTypes: ['*'],
  })
  const upload = { ...file(app.mailboxId), contentBase64: bytes.toString('base64') }
  const { attachment } = await ask('uploadAttachment', '/v1/attachments', upload)
  const { uploadId } = await ask('prepareAttachmentUpload', '/v1/attachments/uploads', announced(app.mailboxId))
  const { id: message } = await ask('sendMessage', '/v1/messages', mail(app.mailboxId))
  await until(
    'the message is stored',
    async () => (await call(url, 'GET', `/v1/messages/${message}/raw`, app)).status === 200,
  )
  assert.deepEqual(outbound.errors(), [])
  const { items } = await ask('listWebhookDeliveries', '/v1/webhook-deliveries')
  const since = '2026-01-01'
  const { id: replay } = await ask('replayWebhookEndpoint', `/v1/webhook-endpoints/${endpoint.id}/replay`, { since })
  return {
    ...app,
    name,
    environment,
    ids: {
      mailbox: app.mailboxId,
      message,
      upload: uploadId,
      attachment: attachment.id,
      endpoint: endpoint.id,
      delivery: items[0].id,
      event: items[0].eventId,
      replay,
    },
  }
}

async function appOf(tenant: TestTenant, environment: Environment): Promise<TestTenant> {
  const { id: appId } = await createApp(database, operatorOf(tenant.tenantId), { name: 'Another', environment })
  const { key } = await createKey({ database, keyHasher }, operatorOf(tenant.tenantId), { appId, scopes: SCOPES })
  return { ...tenant, appId, key }
}

const one = await createTestTenant(database)
const two = await createTestTenant(database)
const owners: Owner[] = []
for (const [name, environment, app] of [
  ['production', 'production', one],
  ['another production application', 'production', await appOf(one, 'production')],
  ['sandbox', 'sandbox', await appOf(one, 'sandbox')],
  ['another sandbox', 'sandbox', await appOf(one, 'sandbox')],
  ['another tenant', 'production', two],
  ["another tenant's sandbox", 'sandbox', await appOf(two, 'sandbox')],
] as const) {
  owners.push(await possess(name, environment, app))
}

/** specification.md#environments */
function sees(caller: Owner, owner: Owner, kind: Kind): boolean {
  if (caller.tenantId !== owner.tenantId) return false
  if (caller === owner || kind === 'mailbox') return true
  const isOfApplication = ['endpoint', 'delivery', 'replay'].includes(kind)
  return !isOfApplication && caller.environment === 'production' && owner.environment === 'production'
}

test('every operation has its row, and every id that it takes its aim', () => {
  assert.deepEqual(Object.keys(AIMS).sort(), [...NEEDED.keys()].sort())
  for (const [operation, { ids }] of DECLARED) assert.equal(AIMS[operation]?.length, ids, operation)
  assert.deepEqual([...DECLARED.keys()].sort(), Object.keys(AIMS).sort())
})

/** All of an answer by which a caller could tell two of them apart, but for what is new in each. */
function appearance({ status, headers, body }: Answer, id: string): unknown {
  const { requestId: _requestId, ...rest } = body
  const shown = Object.fromEntries([...headers].filter(([name]) => !['x-request-id', 'date'].includes(name)))
  return JSON.parse(JSON.stringify({ status, shown, rest }).replaceAll(id, 'ID'))
}

test('what is foreign cannot be told from what never was', async () => {
  let pairs = 0
  for (const [operation, aims] of Object.entries(AIMS)) {
    for (const { kind, ask, filters } of aims) {
      for (const owner of owners) {
        for (const caller of owners.filter((other) => !sees(other, owner, kind))) {
          const [foreign, none] = [owner.ids[kind], newId()]
          const about = async (id: string) => {
            const { path, body } = ask(id, caller)
            return appearance(await request(caller, operation, path, body), id)
          }
          const answer = (await about(foreign)) as { status: number; rest: { items?: unknown[] } }
          const where = `${operation}: ${caller.name} asks for the ${kind} of ${owner.name}`
          assert.deepEqual([answer.status, answer.rest.items], filters ? [200, []] : [404, undefined], where)
          assert.deepEqual(answer, await about(none), where)
          pairs += 1
        }
      }
    }
  }
  assert(pairs > 300)
})

test('lists show nothing foreign', async () => {
  await feedCaughtUp(database)
  for (const caller of owners) {
    for (const [operation, path] of [
      ['listMailboxes', '/v1/mailboxes'],
      ['listMessages', '/v1/messages?limit=100'],
      ['listEvents', '/v1/events?limit=100'],
      ['listWebhookEndpoints', '/v1/webhook-endpoints'],
      ['listWebhookDeliveries', '/v1/webhook-deliveries?limit=100'],
    ] as const) {
      const text = JSON.stringify(ok(await request(caller, operation, path)))
      assert(text.length > 50, `${caller.name} sees something by ${operation}`)
      for (const owner of owners) {
        for (const [kind, id] of Object.entries(owner.ids) as [Kind, string][]) {
          // An event is about the message, not about the delivery; what it does say must be the caller's.
          const where = `${operation} shows ${caller.name} the ${kind} of ${owner.name}`
          assert(sees(caller, owner, kind) || !text.includes(id), where)
        }
      }
    }
  }
})

test('what nobody else saw nobody else changed, and its owner has all of it', async () => {
  for (const owner of owners) {
    const { message } = ok(await request(owner, 'getMessage', `/v1/messages/${owner.ids.message}`))
    assert.equal(message.mailboxes[0].isStarred, false)
    const { items } = ok(await request(owner, 'listWebhookEndpoints', '/v1/webhook-endpoints'))
    assert.deepEqual([items.length, items[0].description, items[0].enabled], [1, null, true])
  }
  for (const [operation, aims] of Object.entries(AIMS)) {
    for (const { kind, ask } of aims) {
      for (const owner of owners) {
        const { path, body } = ask(owner.ids[kind], owner)
        const answer = await request(owner, operation, path, body)
        // Nothing was put for the prepared upload: its owner is answered so.
        const expected = operation === 'completeAttachmentUpload' ? 422 : answer.status < 300 ? answer.status : 200
        assert.equal(answer.status, expected, `${operation}: ${owner.name} asks for its own ${kind}`)
      }
    }
  }
})

test('a key does what its scopes say, and says which one it misses', async () => {
  const none = newId()
  for (const scope of SCOPES) {
    const { key } = await createKey({ database, keyHasher }, operatorOf(one.tenantId), {
      appId: one.appId,
      scopes: [scope],
    })
    for (const [operation, needed] of NEEDED) {
      const { path } = DECLARED.get(operation) as Declared
      const answer = await request({ key }, operation, path.replace(/\{\w+\}/, none))
      const where = `${operation} with ${scope}`
      if (scope === needed) {
        assert.notEqual(answer.status, 401, where)
        assert.notEqual(answer.status, 403, where)
      } else {
        assert.deepEqual([answer.status, answer.body.code], [403, 'insufficient_scope'], where)
        assert.deepEqual(answer.body.details, { required: [needed] }, where)
      }
    }
  }
})

test('no operation is open to those without a key', async () => {
  for (const { method, path } of DECLARED.values()) {
    for (const authorization of [undefined, 'Bearer', 'Bearer x', 'Basic eDp4', `bearer ${'x'.repeat(100)}`]) {
      const headers: Record<string, string> = authorization ? { authorization } : {}
      const answer = await call(url, method, path.replace(/\{\w+\}/, newId()), { headers })
      assert.deepEqual([answer.status, answer.body.code], [401, 'invalid_api_key'])
      assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
    }
  }
})
