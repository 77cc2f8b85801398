// Holds every answer that a test receives against the contract: its status and its media type are declared, its headers
// are there, and its body is valid, with every member that the contract knows and none that it does not. That is
// stricter than the document, which leaves room for members to come.
import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { addFormats, isEmailAddress } from '../../src/lib/formats.ts'
import { DOCUMENT, operationAt, within } from './openapi.ts'

/** Sent by the service only when it limits or replays, or with some statuses. */
const SOMETIMES = /^(ratelimit-|idempotent-replayed|retry-after)/i
/** What an answer may lack. */
const NOT_ALWAYS = new Set(['erased', 'bcc', 'details', 'demo'])
/** Outbound messages show whom else they went to; of an inbound one nobody knows. */
const BCC_OF_OUTBOUND = {
  if: { properties: { direction: { const: 'outbound' } } },
  // biome-ignore lint/suspicious/noThenProperty: JSON Schema's own word.
  then: { required: ['bcc'] },
  else: { not: { required: ['bcc'] } },
}

// That the document's schemas are some is shown once, by test/contract/.
const ajv = addFormats(new Ajv2020({ allErrors: true, strict: false, validateSchema: false }))
// The service does not look at these in what it writes.
ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
ajv.addFormat('uri', (text) => URL.canParse(text))
ajv.addFormat('idn-email', isEmailAddress)
// What is referred to in bodies: the rest of the document would take twice the time that all else here does.
ajv.addSchema({ components: { schemas: exact(DOCUMENT.components.schemas) } }, 'contract')
const validators = new Map<object, ValidateFunction>()

/** @throws AssertionError that says where an answer and the contract part */
export function assertContract(method: string, path: string, status: number, headers: Headers, body: unknown): void {
  // The ops listener speaks no contract.
  if (!path.startsWith('/v1/')) return
  const operation = operationAt(method, path)
  assert(headers.get('x-request-id'), 'every answer names its request')
  // What is outside the contract still answers errors in its form.
  if (!operation) {
    if (status >= 400 && typeof body === 'object') assertError(headers, body, path)
    return
  }
  const answer = operation.responses[String(status)]
  const where = `${method} ${path} ${status}`
  assert(answer, `${where}: the contract does not declare this status for ${JSON.stringify(body)}`)
  for (const name of Object.keys(answer.headers ?? {})) {
    if (!SOMETIMES.test(name)) assert(headers.has(name), `${where}: the header ${name} is missing`)
  }
  if (answer.content === undefined) {
    assert.equal(body, '', `${where} has no body`)
    return
  }
  const mediaType = headers.get('content-type')?.split(';')[0] ?? ''
  const content = answer.content[mediaType] ?? (mediaType === '' ? undefined : answer.content['*/*'])
  assert(content, `${where}: the contract does not declare the type ${mediaType}`)
  if (status >= 400) {
    const code = assertError(headers, body, where)
    assert(content.examples?.[code], `${where}: the contract does not declare the code ${code}`)
    return
  }
  if (mediaType === 'application/json') assertValid(content.schema, body, where)
  if (operation.operationId === 'listEvents') for (const event of (body as { items: Event[] }).items) assertEvent(event)
  if (operation.operationId === 'getEvent') assertEvent((body as { event: Event }).event)
}

/** @throws AssertionError when what was delivered to an endpoint is not what the contract says of its type */
export function assertDelivered(body: { type: string }): void {
  assertValid(deliverySchema(body.type), body, `delivery of ${body.type}`)
}

interface Event {
  type: string
  data: Record<string, unknown>
}

function assertEvent({ type, data }: Event): void {
  // Made up by a test that counts them.
  if ('n' in data) return
  assertValid(deliverySchema(type).properties.data, data, `data of ${type}`)
}

function deliverySchema(type: string): { properties: { data: object } } {
  const schema = DOCUMENT.webhooks[type]?.post.requestBody?.content['application/json']?.schema
  assert(schema, `the contract does not know events of the type ${type}`)
  return schema as ReturnType<typeof deliverySchema>
}

/** Gives the error's code. */
function assertError(headers: Headers, body: unknown, where: string): string {
  assertValid(DOCUMENT.components.schemas.Error as object, body, where)
  const { code, error, requestId } = body as { code: string; error: string; requestId: string }
  assert.deepEqual([error, requestId], [code, headers.get('x-request-id')], `${where}: what it repeats`)
  return code
}

function assertValid(schema: object, body: unknown, where: string): void {
  let validate = validators.get(schema)
  if (!validate) {
    validate = ajv.compile(within('contract', exact(schema)) as object)
    validators.set(schema, validate)
  }
  assert(validate(body), `${where}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(body)?.slice(0, 500)}`)
}

/** The schemas without their room: every member that is described, and no other unless any is welcome. */
function exact(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(exact)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, exact(value)]))
  if (copy.type !== 'object' || typeof copy.properties !== 'object') return copy
  // What must have some member names those it may have.
  if (copy.minProperties) return copy
  const members = Object.keys(copy.properties as object)
  const required = members.filter((name) => !NOT_ALWAYS.has(name))
  return { additionalProperties: false, ...copy, required, ...(members.includes('bcc') ? BCC_OF_OUTBOUND : {}) }
}
