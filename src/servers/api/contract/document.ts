// Makes the OpenAPI 3.1 document from what the operations declare. Pure; nothing is started for it.

import type { TSchema } from 'typebox'
import { exampleDetails, pageOfProblem } from '../../../access/explain-problem.ts'
import { SCOPES } from '../../../access/permissions.ts'
import { PROBLEM_CODES, type ProblemCode, sentenceOf } from '../../../access/problem.ts'
import { errorBody, statusOf } from '../../http/status-codes.ts'
import type { Answers, Operation, Words } from '../operation.ts'
import { REQUEST } from './examples.ts'
import { pathTemplate } from './path-template.ts'
import { FORMATS, IDEMPOTENCY_KEY, RULES } from './rules.ts'
import { TAGS } from './tags.ts'
import { webhooks } from './webhooks.ts'
import { SHOWN_AS } from './written-shapes.ts'

type Json = Record<string, unknown>

/** The document as an object. `named`: the schemas that get a name of their own. */
export function openApiDocument(operations: readonly Operation[], named: Record<string, TSchema>): Json {
  const references = Object.entries(named).map(([name, schema]): [unknown, Json] => [
    schema,
    { $ref: `#/components/schemas/${name}` },
  ])
  const names: Names = new Map([...references, ...SHOWN_AS])
  const paths: Record<string, Json> = {}
  for (const operation of operations) {
    if (!isInContract(operation)) continue
    const path = pathTemplate(operation.path)
    paths[path] ??= {}
    ;(paths[path] as Json)[operation.method.toLowerCase()] = operationObject(operation, names)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Mail Developer API',
      version: '1.0.0',
      summary: 'Send, read and file mail over HTTP, follow every message through one event log, hear of changes.',
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'The operator of this service' },
    },
    servers: [{ url: '/', description: 'The service that served this document.' }],
    security: [{ apiKey: [] }],
    tags: TAGS,
    paths,
    webhooks: webhooks(),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: `An API key, \`mdk_live_…\` or \`mdk_test_…\`. For servers only. Scopes: ${SCOPES.map((s) => `\`${s}\``).join(', ')}.`,
        },
      },
      headers: HEADERS,
      schemas: {
        ...Object.fromEntries(
          Object.entries(named).map(([name, schema]) => [
            name,
            merged(plain(schema, names, true) as Json, RULES[name] ?? {}),
          ]),
        ),
        Error: ERROR,
      },
    },
  }
}

/** Both of them; where both say something of the same member, both of that. */
function merged(shape: Json, rules: Json): Json {
  const both = Object.entries(rules).map(([key, rule]) => {
    const said = shape[key]
    return [key, isObject(said) && isObject(rule) ? merged(said, rule) : rule]
  })
  return { ...shape, ...Object.fromEntries(both) }
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** An operation that the contract shows. */
type Shown = Operation & { words: Words }

/** The others are for operators. */
function isInContract(operation: Operation): operation is Shown {
  return operation.words !== undefined
}

function operationObject(operation: Shown, names: Names): Json {
  const { name, scope, params, query, body, idempotent, words } = operation
  const parameters = [
    ...parametersOf(params, 'path', names),
    ...parametersOf(query, 'query', names),
    ...(idempotent ? [IDEMPOTENCY_KEY] : []),
  ]
  return {
    operationId: name,
    tags: [words.tag],
    summary: words.summary,
    description: scope ? `${words.description}\n\nNeeds the scope \`${scope}\`.` : words.description,
    ...(scope ? { 'x-required-scopes': [scope] } : {}),
    ...(words.extension ? { 'x-extension': true } : {}),
    security: scope ? [{ apiKey: [] }] : [],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { required: true, content: contentOf(body, words, names) } } : {}),
    responses: { ...success(operation, names), ...errors(operation) },
  }
}

function contentOf(body: NonNullable<Shown['body']>, { examples }: Words, names: Names): Json {
  if (typeof body === 'string') return { '*/*': { schema: OCTETS } }
  return { 'application/json': { schema: plain(body, names), example: examples?.request } }
}

const OCTETS = { type: 'string', format: 'binary' }

const RATE = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']

function headersOf(...more: string[]): Json {
  return references(['x-request-id', ...RATE, ...more])
}

function references(headers: readonly string[]): Json {
  return Object.fromEntries(headers.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

function success({ idempotent, answers, answerHeaders = [], words }: Shown, names: Names): Json {
  const headers = headersOf(...(idempotent ? ['Idempotent-Replayed'] : []), ...answerHeaders)
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => [status, answerObject(answer, words, headers, names)]),
  )
}

function answerObject(answer: Answers[number], { summary, examples }: Words, headers: Json, names: Names): Json {
  if (answer === null) return { description: 'Done.', headers }
  if ('mediaType' in answer) {
    const content = { [answer.mediaType]: { schema: OCTETS } }
    return { description: answer.description, headers: { ...headers, ...references(answer.headers ?? []) }, content }
  }
  const content = { 'application/json': { schema: plain(answer, names), example: examples?.answer } }
  return { description: summary, headers, content }
}

/** Every code the operation may answer with, by status. */
function errors({ auth, method, params, body, idempotent, words }: Shown): Json {
  const codes = new Set<ProblemCode>([
    'bad_request',
    'rate_limited',
    'internal_error',
    'service_unavailable',
    ...(auth === 'key' ? (['invalid_api_key', 'insufficient_scope'] as const) : []),
    ...(params ? (['not_found'] as const) : []),
    // Of a query at least, which has no parameter but those that are declared.
    'validation_error',
    // A body that nobody asked for is read all the same.
    ...(method === 'GET' ? [] : (['request_timeout', 'payload_too_large'] as const)),
    ...(method === 'GET' || body === 'stream' ? [] : (['invalid_json', 'unsupported_media_type'] as const)),
    ...(idempotent
      ? (['missing_idempotency_key', 'invalid_idempotency_key', 'idempotency_conflict', 'idempotency_pending'] as const)
      : []),
    ...(words.errors ?? []),
  ])
  const byStatus = new Map<number, ProblemCode[]>()
  for (const code of PROBLEM_CODES) {
    if (codes.has(code)) byStatus.set(statusOf(code), [...(byStatus.get(statusOf(code)) ?? []), code])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, those]) => [
      status,
      {
        description: those.map(described).join('\n\n'),
        headers: headersOf(...(HEADERS_OF_STATUS[status] ?? [])),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: Object.fromEntries(those.map((code) => [code, { value: errorExample(code) }])),
          },
        },
      },
    ]),
  )
}

const HEADERS_OF_STATUS: Record<number, string[]> = {
  409: ['Retry-After'],
  416: ['Content-Range'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

/** A code, what it says, and the page that says what to do about it. */
function described(code: ProblemCode): string {
  return `[\`${code}\`](${pageOfProblem(code)}): ${sentenceOf(code)}`
}

function errorExample(code: ProblemCode): Json {
  return errorBody(code, sentenceOf(code), REQUEST, exampleDetails(code))
}

function parametersOf(schema: unknown, place: 'path' | 'query', names: Names): Json[] {
  const { properties = {}, required = [] } = (schema ?? {}) as { properties?: Json; required?: string[] }
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...shown } = plain(property as TSchema, names) as Json
    return {
      name,
      in: place,
      required: place === 'path' || (required.includes(name) && shown.default === undefined),
      description,
      schema: shown,
    }
  })
}

/** What stands in the document where one of these schemas would. */
type Names = ReadonlyMap<unknown, Json>

/** A schema as the document shows it: by name where it has one, and without what only this service understands. */
function plain(schema: unknown, names: Names, itself = false): unknown {
  const reference = itself ? undefined : names.get(schema)
  if (reference) return reference
  if (Array.isArray(schema)) return schema.map((item) => plain(item, names))
  if (typeof schema !== 'object' || schema === null) return schema
  const shown: Json = {}
  for (const [key, value] of Object.entries(schema)) {
    const ours = key === 'format' ? FORMATS[String(value)] : undefined
    if (ours) Object.assign(shown, ours)
    else if (key === 'patternProperties') shown.additionalProperties = Object.values(plain(value, names) as Json)[0]
    else shown[key] = plain(value, names)
  }
  const { properties, required = [] } = shown as { properties?: Record<string, Json>; required?: string[] }
  if (!properties) return shown
  // What has a default need not be given.
  const needed = required.filter((member) => (properties[member] as Json)?.default === undefined)
  if (needed.length > 0) shown.required = needed
  else delete shown.required
  // At least one of those that need not: generators of clients make nothing of it in the words of the validator.
  if (shown.anyOf) {
    delete shown.anyOf
    shown.minProperties = needed.length + 1
  }
  return shown
}

const count = (description: string) => ({ description, schema: { type: 'integer', minimum: 0 } })
const HEADERS = {
  'x-request-id': {
    description: 'Names this request; quote it in reports.',
    schema: { type: 'string', format: 'uuid' },
  },
  'RateLimit-Limit': count('Requests in the window of the tightest limit. Absent when nothing is limited.'),
  'RateLimit-Remaining': count('Requests left in that window.'),
  'RateLimit-Reset': count('Seconds until that window ends.'),
  'Retry-After': count('Seconds to wait before trying again.'),
  'Content-Disposition': {
    description: 'The name of the file (RFC 6266).',
    schema: { type: 'string' },
  },
  'Content-Range': {
    description: 'Which octets these are of how many (RFC 9110); with 416 how many there are.',
    schema: { type: 'string' },
  },
  ETag: { description: 'The SHA-256 of the file in quotes.', schema: { type: 'string' } },
  'Idempotent-Replayed': {
    description: '`true` when an earlier request with the same key was answered again.',
    schema: { type: 'string', const: 'true' },
  },
  'Mdk-Resume-Cursor': {
    description: 'The position after the last item, or the one given when the page is empty.',
    schema: { type: 'string', maxLength: 512 },
  },
}

const ERROR = {
  type: 'object',
  additionalProperties: false,
  required: ['code', 'message'],
  properties: {
    code: { type: 'string', description: 'Stable, for programs.' },
    message: { type: 'string', description: 'For people.' },
    error: { type: 'string', description: 'Repeats the code.' },
    requestId: { type: 'string', format: 'uuid', description: 'Quote it in reports.' },
    details: {
      type: 'object',
      additionalProperties: true,
      description: '`{fields: [{path, code, message}]}` for a validation error, a flat object otherwise.',
    },
  },
}

const DESCRIPTION = `New here? The [quick start](/docs/guides/quick-start) takes ten minutes.

Every request carries \`Authorization: Bearer <API key>\`. Keys are for servers only.

Sending is asynchronous: a 202 is durable, and events report what happened to the message. Webhooks and \`GET /v1/events\`
carry the same events under the same ids. Unsafe operations take an \`Idempotency-Key\`. Errors have a stable \`code\`.

Bodies are I-JSON (RFC 7493): UTF-8, without half surrogate pairs and without duplicate members. A member of a body or a
parameter of a query that an operation does not have is refused with a \`validation_error\` that names it.

Operations marked \`x-extension\` go beyond version 1 of the specification. Ignore unknown fields and event types:
more may be added at any time.`
