// Requests to the operations of openapi.yaml for property tests: what the document allows, what comes of it when one
// place is spoilt, and what the document says of either.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { isEmailAddress } from '../../src/lib/formats.ts'
import { parseInstant } from '../../src/lib/instant.ts'
import { DOCUMENT, type DocumentedOperation, type Parameter, within } from '../support/openapi.ts'
import { type Known, type Schema, valuesOf } from './documented-values.ts'
import { oddTexts, spoilt } from './spoilt-values.ts'

export interface Operation extends DocumentedOperation {
  method: string
  /** With parameters in braces. */
  pattern: string
}

/** A request before it is written down. */
export interface Draft {
  path: Record<string, string>
  query: [string, string][]
  header: Record<string, string>
  /** Undefined: none. */
  body?: unknown
}

export const OPERATIONS: Operation[] = Object.entries(DOCUMENT.paths).flatMap(([pattern, operations]) =>
  Object.entries(operations).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), pattern })),
)

/** Requests that the document allows. */
export function allowedRequests(operation: Operation, known: Known): fc.Arbitrary<Draft> {
  const body = bodySchema(operation)
  const drafts = fc.record({
    path: parametersIn(operation, 'path', known),
    query: parametersIn(operation, 'query', known).map((query) => Object.entries(query)),
    header: parametersIn(operation, 'header', known),
    ...(body ? { body: valuesOf(body, 'body', known) } : {}),
  })
  return drafts.filter((draft) => isAllowed(operation, draft)) as fc.Arbitrary<Draft>
}

/** Requests that differ in one place from what the document allows. Some of them it still allows. */
export function spoiltRequests(operation: Operation, known: Known): fc.Arbitrary<Draft> {
  const { parameters = [] } = operation
  return allowedRequests(operation, known).chain((draft) => {
    const ways: fc.Arbitrary<Draft>[] = parameters.map((parameter) => spoiltParameter(draft, parameter))
    ways.push(oddTexts().map((text) => ({ ...draft, query: [...draft.query, ['unknown', text]] })))
    if (draft.body === undefined) return fc.oneof(...ways)
    return fc.oneof(
      { arbitrary: spoilt(draft.body).map((body) => ({ ...draft, body })), weight: 4 },
      { arbitrary: fc.oneof(...ways), weight: 1 },
    )
  })
}

function spoiltParameter(draft: Draft, { in: place, name }: Parameter): fc.Arbitrary<Draft> {
  switch (place) {
    case 'path':
      // Whatever sends them leads these to another path.
      return oddTexts()
        .filter((text) => !['', '.', '..'].includes(text))
        .map((text) => ({ ...draft, path: { ...draft.path, [name]: text } }))
    case 'query': {
      const others = draft.query.filter(([other]) => other !== name)
      return fc.tuple(oddTexts(), fc.boolean()).map(([text, again]) => {
        return { ...draft, query: [...(again ? draft.query : others), [name, text]] }
      })
    }
    case 'header': {
      const { [name]: _removed, ...less } = draft.header
      // What a client can write into a header at all.
      const unit = fc.integer({ min: 0x21, max: 0xff }).filter((code) => code !== 0x7f)
      const text = fc.string({ unit: unit.map((code) => String.fromCharCode(code)) })
      const lengths = fc.constantFrom(1, 7, 256, 4_000).map((length) => 'k'.repeat(length))
      return fc
        .oneof(
          fc.constant(less),
          fc.oneof(text, lengths).map((key) => ({ ...less, [name]: key })),
        )
        .map((header) => {
          return { ...draft, header: header as Record<string, string> }
        })
    }
  }
}

function parametersIn(
  operation: Operation,
  place: Parameter['in'],
  known: Known,
): fc.Arbitrary<Record<string, string>> {
  const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === place)
  const members = parameters.map(({ name, schema }) => [name, valuesOf(schema as Schema, name, known).map(String)])
  const requiredKeys = parameters.filter(({ required }) => required).map(({ name }) => name)
  return fc.record(Object.fromEntries(members), { requiredKeys, noNullPrototype: true })
}

const ajv = new Ajv2020({ strict: false })
ajv.addFormat('uuid', /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)
ajv.addFormat('idn-email', isEmailAddress)
// The service takes more dates than RFC 3339 has, and has words of its own for a URL that cannot be used.
ajv.addFormat('date-time', (text) => parseInstant(text) !== undefined)
ajv.addFormat('uri', true)
ajv.addSchema(DOCUMENT, 'document')
const validators = new Map<object, ValidateFunction>()

/** Whether the document allows a request. */
export function isAllowed(operation: Operation, { path, query, header, body }: Draft): boolean {
  const given = (parameter: Parameter) => {
    if (parameter.in === 'query') return query.filter(([name]) => name === parameter.name).map(([, text]) => text)
    const { [parameter.name]: text } = parameter.in === 'path' ? path : header
    return text === undefined ? [] : [text]
  }
  const rightParameters = (operation.parameters ?? []).every((parameter) => {
    const texts = given(parameter)
    if (texts.length === 0) return !parameter.required
    return texts.length === 1 && validatorOf(parameter.schema)(readAs(parameter.schema, texts[0] as string))
  })
  const known = new Set(
    (operation.parameters ?? []).flatMap(({ in: place, name }) => (place === 'query' ? [name] : [])),
  )
  const schema = bodySchema(operation)
  return (
    rightParameters &&
    query.every(([name]) => known.has(name)) &&
    (!schema || (isUnicode(body) && validatorOf(schema)(body)))
  )
}

function readAs(schema: Schema, text: string): unknown {
  return schema.type === 'integer' && /^-?\d{1,15}$/.test(text) ? Number(text) : text
}

function bodySchema(operation: DocumentedOperation): Schema | undefined {
  return operation.requestBody?.content['application/json']?.schema
}

/** What the document says of all bodies: RFC 7493 2.1. */
function isUnicode(body: unknown): boolean {
  return !/\\ud[89a-f]/i.test(JSON.stringify(body) ?? '')
}

function validatorOf(schema: object): ValidateFunction {
  const validate = validators.get(schema) ?? ajv.compile(within('document', schema) as object)
  validators.set(schema, validate)
  return validate
}
