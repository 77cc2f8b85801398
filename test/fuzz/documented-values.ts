// Values that a schema of openapi.yaml allows, for property tests. Knows no operation; knows the ids that exist.
import fc from 'fast-check'
import { parseInstant } from '../../src/lib/instant.ts'
import { DOCUMENT } from '../support/openapi.ts'

/** As much of JSON Schema as the requests of the document use. */
export interface Schema {
  $ref?: string
  type?: string
  enum?: unknown[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  uniqueItems?: boolean
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  pattern?: string
  format?: string
}

/** Ids by the name of the member or parameter that may hold them. */
export type Known = Record<string, string[]>

/** Longer texts are only now and then as long as they may be: they would take most of the time. */
const SHORT_CHARACTERS = 1_000

/** `name`: of the member or parameter that has the value. What spans several members is not heeded. */
export function valuesOf(schema: Schema, name: string, known: Known): fc.Arbitrary<unknown> {
  if (schema.$ref) return valuesOf(resolve(schema.$ref), name, known)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf && !schema.type) return fc.oneof(...schema.anyOf.map((each) => valuesOf(each, name, known)))
  switch (schema.type) {
    case 'object':
      return objects(schema, known)
    case 'array':
      return arrays(schema, name, known)
    case 'string':
      return strings(schema, name, known)
    case 'integer':
      return integers(schema)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      throw new Error(`${name}: say how to make values of ${JSON.stringify(schema)}`)
  }
}

function resolve(reference: string): Schema {
  return DOCUMENT.components.schemas[reference.slice('#/components/schemas/'.length)] as Schema
}

function objects({ properties = {}, required = [] }: Schema, known: Known): fc.Arbitrary<unknown> {
  const members = Object.entries(properties).map(([name, each]) => [name, valuesOf(each, name, known)])
  return fc.record(Object.fromEntries(members), { requiredKeys: required as never[], noNullPrototype: true })
}

function arrays(schema: Schema, name: string, known: Known): fc.Arbitrary<unknown> {
  const { items = {}, minItems = 0, maxItems = minItems + 3, uniqueItems } = schema
  const item = valuesOf(items, name, known)
  const array = (bounds: { minLength: number; maxLength: number }) =>
    uniqueItems
      ? fc.uniqueArray(item, { ...bounds, selector: (id) => String(id).toLowerCase() })
      : fc.array(item, bounds)
  return fc.oneof(
    { arbitrary: array({ minLength: minItems, maxLength: minItems + 2 }), weight: 20 },
    { arbitrary: array({ minLength: maxItems, maxLength: maxItems }), weight: 1 },
  )
}

function integers({ minimum = -1e9, maximum = 1e9 }: Schema): fc.Arbitrary<number> {
  return fc.oneof(fc.constantFrom(minimum, maximum), fc.integer({ min: minimum, max: maximum }))
}

function strings(schema: Schema, name: string, known: Known): fc.Arbitrary<string> {
  const { format, pattern, minLength = 0, maxLength = SHORT_CHARACTERS } = schema
  if (format === 'uuid') return ids(known[name] ?? [])
  if (format === 'idn-email') return addresses()
  if (format === 'date-time') return name === 'since' ? instants().filter(isPast) : instants()
  if (format === 'uri') return urls(known.url ?? [])
  if (name === 'mediaType') return mediaTypes(maxLength)
  if (name === 'contentBase64') return fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('base64') || 'AA==')
  if (name === 'Idempotency-Key') return keys(minLength, maxLength)
  if (pattern && pattern !== '^[^\\x00]*$') return fc.stringMatching(new RegExp(pattern, 'u'))
  const unit = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 1, minLength: 1 }),
    fc.constantFrom('\u0001', '\u007f', '\u2028', '\ufffe', '\u{1f4a9}', 'e\u0301', '\u202e', '\r\n', '"', '\\'),
  )
  const bounded = (text: string) => [...text].slice(0, maxLength).join('')
  const short = fc.string({ unit, minLength, maxLength: 20 }).map(bounded)
  const longest = fc.constantFrom('x', '\u00e9', '\u{1f4a9}').map((letter) => letter.repeat(maxLength))
  const weight = maxLength <= SHORT_CHARACTERS ? 50 : 1
  return fc.oneof({ arbitrary: short, weight: 500 }, { arbitrary: longest, weight })
}

/** What something is asked for since lies in the past, where a request is refused for it. */
function isPast(instant: string): boolean {
  return (parseInstant(instant) ?? 0) < Date.now() * 1000
}

function ids(known: string[]): fc.Arbitrary<string> {
  const unknown = fc.oneof(
    fc.uuid(),
    fc.constantFrom('00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'),
  )
  if (known.length === 0) return unknown
  const existing = fc.constantFrom(...known)
  return fc.oneof(
    { arbitrary: existing, weight: 12 },
    { arbitrary: existing.map((id) => id.toUpperCase()), weight: 1 },
    { arbitrary: unknown, weight: 3 },
  )
}

/** All that SMTP carries and the service takes: no quoted local parts, no literals. */
function addresses(): fc.Arbitrary<string> {
  const outcomes = fc.constantFrom('bounced', 'failed', 'silent', 'somebody')
  return fc.oneof(
    fc.emailAddress({ size: 'small' }),
    outcomes.map((local) => `${local}@example.net`),
    fc.constantFrom('użytkownik@przykład.pl', 'a@b.co', `${'x'.repeat(64)}@example.net`, "o'neil+tag@ex-ample.test"),
  )
}

function instants(): fc.Arbitrary<string> {
  const dates = fc.date({ noInvalidDate: true, min: new Date('0001-01-01'), max: new Date('9999-12-31') })
  return fc
    .tuple(
      dates,
      fc.constantFrom('Z', 'z', '+00:00', '-23:59', '+14:00'),
      fc.constantFrom('', '.1', '.123456', '.1234567891'),
    )
    .map(([date, zone, fraction]) => `${date.toISOString().slice(0, 19)}${fraction}${zone}`)
}

/** None of them leads off this machine: names resolve to nothing here, and these networks are nobody's. */
function urls(known: string[]): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom(
      ...known,
      'http://127.0.0.1:9/',
      'https://192.0.2.1/hook',
      'https://[2001:db8::1]/',
      'mailto:a@b.co',
    ),
    fc.webUrl({ withFragments: true, withQueryParameters: true, size: 'small' }),
  )
}

function mediaTypes(maxLength: number): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom('text/plain', 'application/pdf', 'text/html; charset=utf-8', 'a/b;c="d e"', "!#$%&'*+-.^_`|~/x"),
    fc.constant(`text/${'x'.repeat(maxLength - 5)}`),
  )
}

function keys(minLength: number, maxLength: number): fc.Arbitrary<string> {
  const unit = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code))
  return fc.oneof(
    { arbitrary: fc.string({ unit, minLength: 20, maxLength: 40 }), weight: 20 },
    { arbitrary: fc.string({ unit, minLength, maxLength: minLength }), weight: 1 },
    { arbitrary: fc.string({ unit, minLength: maxLength, maxLength, size: 'max' }), weight: 1 },
  )
}
