// Holds every answer that a test receives against the contract: its status is declared, its headers are there, its
// body is valid and has no member that the contract does not know.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { parse } from 'yaml'
import { addFormats } from '../../src/http/formats.ts'

interface Document {
  paths: Record<string, Record<string, { responses: Record<string, Answer> }>>
  components: { schemas: Record<string, object> }
}

interface Answer {
  headers?: Record<string, object>
  content?: Record<string, { schema: object }>
}

const document: Document = parse(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8'))
const ajv = addFormats(new Ajv2020({ allErrors: true, strict: false }))
ajv.addSchema(document, 'contract')
const validators = new Map<object, ValidateFunction>()

/** Sent by the service only when it limits or replays, or with some statuses. */
const SOMETIMES = /^(ratelimit-|idempotent-replayed|retry-after)/i

/** @throws AssertionError that says where an answer and the contract part */
export function assertContract(method: string, path: string, status: number, headers: Headers, body: unknown): void {
  // The ops listener speaks no contract.
  if (!path.startsWith('/v1/')) return
  const operation = operationAt(method, path)
  assert(headers.get('x-request-id'), 'every answer names its request')
  // What is outside the contract still answers errors in its form.
  if (!operation) {
    if (status >= 400 && typeof body === 'object') assertValid(document.components.schemas.Error as object, body, path)
    return
  }
  const answer = operation.responses[String(status)]
  assert(answer, `${method} ${path} answered ${status}, which the contract does not declare`)
  for (const name of Object.keys(answer.headers ?? {})) {
    if (!SOMETIMES.test(name)) assert(headers.has(name), `${method} ${path} ${status}: the header ${name} is missing`)
  }
  const json = answer.content?.['application/json']
  if (json) assertValid(json.schema, body, `${method} ${path} ${status}`)
  else if (answer.content === undefined) assert.equal(body, '', `${method} ${path} ${status} has no body`)
}

function operationAt(method: string, path: string) {
  const parts = (path.split('?')[0] as string).split('/')
  for (const [pattern, operations] of Object.entries(document.paths)) {
    const names = pattern.split('/')
    const fits = names.length === parts.length && names.every((name, i) => name.startsWith('{') || name === parts[i])
    const operation = fits ? operations[method.toLowerCase()] : undefined
    if (operation) return operation
  }
  return undefined
}

function assertValid(schema: object, body: unknown, where: string): void {
  let validate = validators.get(schema)
  if (!validate) {
    validate = ajv.compile(within(schema) as object)
    validators.set(schema, validate)
  }
  assert(validate(body), `${where}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(body)?.slice(0, 500)}`)
}

/** References as they read from outside the document. */
function within(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(within)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, key === '$ref' ? `contract${value}` : within(value)]),
  )
}
