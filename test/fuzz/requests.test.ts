// Throws at every operation what openapi.yaml allows and what it nearly allows: nothing is answered 5xx or in a way that
// the document does not declare, and document and service agree on what is a request. `npm run test:fuzz` throws many.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { newId } from '../../src/lib/uuid.ts'
import { type Answer, call, send } from '../support/api.ts'
import { startContractService } from '../support/contract-service.ts'
import { until } from '../support/until.ts'
import {
  allowedRequests,
  type Draft,
  isAllowed,
  OPERATIONS,
  type Operation,
  spoiltRequests,
} from './documented-requests.ts'
import type { Known } from './documented-values.ts'
import { hold, REQUESTS, SEED } from './property.ts'
import { type SpoiltBody, spoiltOctets } from './spoilt-octets.ts'

const PROPERTIES = OPERATIONS.reduce((sum, { method }) => sum + (method === 'GET' ? 2 : 3), 0)
const RUNS = (REQUESTS * (2 / 3)) / PROPERTIES
/** Between requests of which nobody knows what they do. */
const GOOD_REQUEST_EVERY = 50

/** What is said of a request's form, before anything is looked up. */
const FORM_CODES = new Set([
  'validation_error',
  'invalid_json',
  'missing_idempotency_key',
  'invalid_idempotency_key',
  'unsupported_media_type',
])

const service = await startContractService()
const { tenant } = service
const known = await prepare()
let asked = 0

describe(`what nobody foresaw (FUZZ_SEED=${SEED})`, { concurrency: 4 }, () => {
  for (const [i, operation] of OPERATIONS.entries()) {
    // What is named elsewhere stays.
    const ids = operation.method === 'DELETE' ? {} : known
    test(`${operation.operationId}: what the document allows is not refused for its form`, async () => {
      await hold(3 * i, allowedRequests(operation, ids), RUNS, async (draft) => {
        const { status, body } = await ask(operation, draft)
        assert(!FORM_CODES.has(body?.code) && status !== 405, `${status} ${JSON.stringify(body)}`)
        // Those of events and deliveries are opaque, and nobody can make one up.
        if (!['listEvents', 'listWebhookDeliveries'].includes(operation.operationId))
          assert.notEqual(body?.code, 'invalid_cursor')
      })
    })
    test(`${operation.operationId}: what the document forbids is refused, and nothing is a fault of ours`, async () => {
      await hold(3 * i + 1, spoiltRequests(operation, ids), RUNS, async (draft) => {
        const { status, body } = await ask(operation, draft)
        if (isAllowed(operation, draft)) assert(!FORM_CODES.has(body?.code), `${status} ${JSON.stringify(body)}`)
        else assert(status >= 400, `${status} ${JSON.stringify(body)}`)
      })
    })
    if (operation.method === 'GET') continue
    test(`${operation.operationId}: a spoilt body is no fault of ours`, async () => {
      const requests = allowedRequests(operation, ids).chain((draft) =>
        fc.record({ draft: fc.constant(draft), spoilt: spoiltOctets(JSON.stringify(draft.body) ?? '') }),
      )
      await hold(3 * i + 2, requests, RUNS, async ({ draft, spoilt }) => {
        await ask(operation, draft, spoilt)
      })
    })
  }
})

test('after all this the service is well', async () => {
  await sendOne()
  assert.deepEqual(await service.brokenInvariants(), [])
})

/** Asks, holds the answer against the contract, and looks now and then whether the service is well. */
async function ask({ method, pattern, operationId }: Operation, draft: Draft, spoilt?: SpoiltBody): Promise<Answer> {
  const path = pattern.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(draft.path[name] as string))
  const query = draft.query.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')
  const answer = await call(service.url, method, query ? `${path}?${query}` : path, {
    key: tenant.key,
    headers: { ...draft.header, ...spoilt?.headers },
    body: spoilt?.octets ?? JSON.stringify(draft.body),
  })
  assert(answer.status < 500, `${answer.status} ${JSON.stringify(answer.body)}`)
  if (operationId === 'createWebhookEndpoint' && answer.status === 201) {
    await call(service.url, 'DELETE', `/v1/webhook-endpoints/${answer.body.endpoint.id}`, { key: tenant.key })
  }
  if (++asked % GOOD_REQUEST_EVERY === 0) await sendOne()
  return answer
}

async function sendOne(): Promise<void> {
  const message = { fromMailboxId: tenant.mailboxId, to: ['a@example.net'], text: 'still here' }
  assert.equal((await send(service.url, tenant.key, message)).status, 202)
  const faults = service.logs.splice(0).filter(({ level }) => level === 'error' || level === 'fatal')
  assert.deepEqual(faults, [])
}

/** Something of every kind for requests to name. */
async function prepare(): Promise<Known> {
  const post = async (path: string, body: unknown) => {
    const headers = { 'idempotency-key': newId() }
    const answer = await call(service.url, 'POST', path, { key: tenant.key, headers, body })
    assert(answer.status < 300, JSON.stringify(answer.body))
    return answer.body
  }
  const several = (one: () => Promise<string>) => Promise.all([one(), one(), one()])
  const { mailboxId } = tenant
  const file = { mailboxId, filename: 'a.txt', mediaType: 'text/plain' }
  const attach = async () => (await post('/v1/attachments', { ...file, contentBase64: 'YWJj' })).attachment.id
  const announced = { ...file, sizeBytes: 3, sha256: createHash('sha256').update('abc').digest('hex') }
  const prepareUpload = async () => {
    const { uploadId, upload } = await post('/v1/attachments/uploads', announced)
    return { uploadId, put: () => fetch(upload.url, { method: 'PUT', headers: upload.headers, body: 'abc' }) }
  }
  const [whole, announcedOnly] = [await prepareUpload(), await prepareUpload()]
  assert((await whole.put()).ok)
  const { endpoint } = await post('/v1/webhook-endpoints', { url: service.receiver.url, eventTypes: ['*'] })
  const message = { fromMailboxId: mailboxId, to: ['a@example.net'], text: 'one to look at' }
  const messageId = await several(async () => (await post('/v1/messages', message)).id)
  const deliveryId = await until('there are deliveries', async () => {
    const { body } = await call(service.url, 'GET', '/v1/webhook-deliveries', { key: tenant.key })
    return body.items.length > 2 && body.items.map(({ id }: { id: string }) => id)
  })
  // It has heard enough.
  const eventTypes = ['mailbox.created']
  await call(service.url, 'PATCH', `/v1/webhook-endpoints/${endpoint.id}`, { key: tenant.key, body: { eventTypes } })
  return {
    mailboxId: [mailboxId],
    fromMailboxId: [mailboxId],
    messageId,
    deliveryId,
    attachmentId: await several(attach),
    attachmentIds: await several(attach),
    uploadId: [whole.uploadId, announcedOnly.uploadId],
    endpointId: [endpoint.id],
    url: [service.receiver.url],
  }
}
