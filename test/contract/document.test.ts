// The contract is what the code says, and a document without gaps.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { parse } from 'yaml'
import { skipWithoutContractTools } from '../../scripts/install-contract-tools.ts'
import { clientTypes } from '../../scripts/sdk-types.ts'
import { describeApi } from '../../src/servers/api/contract/describe-api.ts'
import { OPERATIONS } from '../../src/servers/api/operations.ts'
import { assertContract, assertDelivered } from '../support/contract.ts'
import { DOCUMENT } from '../support/openapi.ts'

const skip = skipWithoutContractTools()
const committed = parse(await readFile(new URL('../../openapi.yaml', import.meta.url), 'utf8'))

test('openapi.yaml is what the routes come to (npm run openapi writes it anew)', () => {
  assert.deepEqual(committed, JSON.parse(JSON.stringify(describeApi())))
})

test('the client has the types of this document (npm run openapi writes both anew)', { skip }, async () => {
  const types = await readFile(new URL('../../sdk/src/openapi.ts', import.meta.url), 'utf8')
  assert.equal(types, await clientTypes())
})

/** Method, path and scope of every operation the specification names. */
const SPECIFIED: [string, string, string, string][] = [
  ['listMailboxes', 'get', '/v1/mailboxes', 'mailboxes:read'],
  ['listDomains', 'get', '/v1/domains', 'mailboxes:read'],
  ['listMessages', 'get', '/v1/messages', 'messages:read'],
  ['sendMessage', 'post', '/v1/messages', 'messages:send'],
  ['getMessage', 'get', '/v1/messages/{messageId}', 'messages:read'],
  ['updateMessage', 'patch', '/v1/messages/{messageId}', 'messages:write'],
  ['uploadAttachment', 'post', '/v1/attachments', 'attachments:write'],
  ['downloadAttachment', 'get', '/v1/attachments/{attachmentId}/download', 'attachments:read'],
  ['prepareAttachmentUpload', 'post', '/v1/attachments/uploads', 'attachments:write'],
  ['completeAttachmentUpload', 'post', '/v1/attachments/uploads/{uploadId}/complete', 'attachments:write'],
  ['getAttachmentDownloadUrl', 'get', '/v1/attachments/{attachmentId}/download-url', 'attachments:read'],
  ['listEvents', 'get', '/v1/events', 'messages:read'],
  ['listWebhookEndpoints', 'get', '/v1/webhook-endpoints', 'webhooks:read'],
  ['createWebhookEndpoint', 'post', '/v1/webhook-endpoints', 'webhooks:write'],
  ['listWebhookDeliveries', 'get', '/v1/webhook-deliveries', 'webhooks:read'],
  ['replayWebhookDelivery', 'post', '/v1/webhook-deliveries/{deliveryId}/replay', 'webhooks:write'],
]

test('every operation of the specification is there, under its path and scope; the others are marked', () => {
  for (const [name, method, path, scope] of SPECIFIED) {
    const operation = committed.paths[path]?.[method]
    assert.deepEqual([operation?.operationId, operation?.['x-required-scopes']], [name, [scope]])
    assert.equal(operation['x-extension'], undefined)
  }
  const specified = new Set(SPECIFIED.map(([name]) => name))
  for (const { name, words } of OPERATIONS.filter(({ auth }) => auth === 'key'))
    assert.equal(words?.extension === true, !specified.has(name), name)
})

test('every operation that reads a body says what becomes of one that is too slow, or too large', () => {
  for (const [path, operations] of Object.entries(DOCUMENT.paths)) {
    for (const method of Object.keys(operations)) {
      if (method === 'get') continue
      const { responses } = committed.paths[path][method]
      assert.match(responses[408]?.description ?? '', /request_timeout/, `${method} ${path}`)
      assert.match(responses[413]?.description ?? '', /payload_too_large/, `${method} ${path}`)
    }
  }
})

test('every parameter, and every field of every body and answer, is described', () => {
  const found: string[] = []
  let looked = 0
  for (const { operationId, parameters = [], requestBody, responses } of [
    ...Object.values(DOCUMENT.paths).flatMap((methods) => Object.values(methods)),
    ...Object.values(DOCUMENT.webhooks).map(({ post }) => post),
  ]) {
    const contents = [requestBody, ...Object.values(responses)].flatMap((each) => Object.values(each?.content ?? {}))
    const fields: Field[] = parameters.map((each) => [`${operationId} ${each.name}`, each])
    fields.push(...contents.flatMap(({ schema }) => fieldsIn(schema, operationId)))
    for (const [name, { description = '' }] of fields) if (!/^.{5,}[.?]$/s.test(description)) found.push(name)
    looked += fields.length
  }
  assert.deepEqual(found, [])
  assert(looked > 400)
})

type Field = [name: string, said: { description?: string }]

/** What a schema has by name, at whatever depth. What has no words of its own has those of what it refers to. */
function fieldsIn(schema: Schema, path: string, within: readonly string[] = []): Field[] {
  const { $ref, properties, items, anyOf, additionalProperties } = schema
  if ($ref) return within.includes($ref) ? [] : fieldsIn(named($ref), path, [...within, $ref])
  const own = Object.entries(properties ?? {}).flatMap(([name, property]): Field[] => [
    [`${path}.${name}`, { ...(property.$ref ? named(property.$ref) : {}), ...property }],
    ...fieldsIn(property, `${path}.${name}`, within),
  ])
  // The alternatives of an object that has properties say which of these go together.
  const others = [items, ...(properties ? [] : (anyOf ?? [])), additionalProperties]
  return [...own, ...others.flatMap((other) => (typeof other === 'object' ? fieldsIn(other, path, within) : []))]
}

interface Schema {
  $ref?: string
  description?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  additionalProperties?: boolean | Schema
}

function named(reference: string): Schema {
  return DOCUMENT.components.schemas[reference.slice(reference.lastIndexOf('/') + 1)] as Schema
}

test('the examples obey the schemas they illustrate', () => {
  let checked = 0
  for (const [path, operations] of Object.entries(DOCUMENT.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      for (const [status, answer] of Object.entries(operation.responses)) {
        const json = answer.content?.['application/json']
        if (!json) continue
        const examples = json.example ? [json.example] : Object.values(json.examples ?? {}).map(({ value }) => value)
        assert(examples.length > 0, `${method} ${path} ${status} has an example`)
        for (const example of examples) assertContract(method, path, Number(status), headersFor(example), example)
        checked += examples.length
      }
    }
  }
  assert(checked > 100)
})

test('so do those of the deliveries', () => {
  for (const [type, { post }] of Object.entries(DOCUMENT.webhooks)) {
    const example = post.requestBody?.content['application/json']?.example as { type: string }
    assert.equal(example.type, type)
    assertDelivered(example)
  }
})

function headersFor(example: unknown): Headers {
  const { requestId = 'x' } = example as { requestId?: string }
  const own = { 'mdk-resume-cursor': 'x', 'content-range': 'bytes */1' }
  return new Headers({ 'x-request-id': requestId, ...own, 'content-type': 'application/json' })
}
