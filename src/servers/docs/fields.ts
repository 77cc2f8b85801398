// The fields of a schema as somebody reads them: a tree of names, types in words and descriptions. Pure.
import type { ApiSchema, Schemas } from './api-document.ts'

export interface Field {
  name: string
  /** In a few words: `email[], 1 to 50`. */
  type: string
  isRequired: boolean
  /** Markdown. */
  description: string
  /** Of an object, or of each of a list of them. */
  fields: Field[]
}

/** `within`: the named schemas around it, which are not shown again inside themselves. */
export function fieldsOf(schemas: Schemas, schema: ApiSchema, within: readonly string[] = []): Field[] {
  const { shape, names } = objectIn(schemas, schema)
  if (names.some((name) => within.includes(name))) return []
  return Object.entries(shape.properties ?? {}).map(([name, property]) => ({
    name,
    type: typeOf(schemas, property),
    isRequired: shape.required?.includes(name) ?? false,
    description: property.description ?? objectIn(schemas, property).shape.description ?? '',
    fields: fieldsOf(schemas, property, [...within, ...names]),
  }))
}

/** What a schema is of, in a few words. */
export function typeOf(schemas: Schemas, schema: ApiSchema): string {
  const isDefaulted = schema.default !== undefined
  return `${kindOf(schemas, schema)}${isDefaulted ? `, ${JSON.stringify(schema.default)} unless given` : ''}`
}

function kindOf(schemas: Schemas, schema: ApiSchema): string {
  const { $ref, anyOf, type, format, items } = schema
  if ($ref) return kindOf(schemas, named(schemas, $ref))
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return `one of ${schema.enum.join(', ')}`
  if (items) return listOf(kindOf(schemas, withoutBounds(items)), items, range(schema.minItems, schema.maxItems))
  // One that has fields says by `anyOf` which of them go together.
  if (anyOf && type !== 'object') return anyOf.map((each) => kindOf(schemas, each)).join(' or ')
  if (type === 'string') return `${FORMATS[format ?? ''] ?? 'text'}${characters(schema)}`
  if (type === 'integer') return `integer${range(schema.minimum, schema.maximum)}`
  return [type ?? 'anything'].flat().join(' or ')
}

function listOf(kind: string, items: ApiSchema, counts: string): string {
  return items.enum ? `array${counts}, each ${kind}` : `${kind}[]${counts}`
}

const FORMATS: Record<string, string> = {
  uuid: 'UUID',
  'idn-email': 'email address',
  uri: 'URL',
  'date-time': 'timestamp',
  binary: 'octets',
}

function characters({ minLength, maxLength }: ApiSchema): string {
  return maxLength === undefined ? '' : `${range(minLength, maxLength)} characters`
}

function range(least = 0, most?: number): string {
  if (most === undefined) return least > 0 ? `, ${counted(least)} or more` : ''
  return least > 0 ? `, ${counted(least)} to ${counted(most)}` : `, up to ${counted(most)}`
}

const counted = (count: number) => count.toLocaleString('en')

function withoutBounds(schema: ApiSchema): ApiSchema {
  const { minLength: _least, maxLength: _most, ...rest } = schema
  return rest
}

/** The object that a schema is, or is a list of, or is when it is not null; and by what names it was found. */
function objectIn(schemas: Schemas, schema: ApiSchema, names: string[] = []): { shape: ApiSchema; names: string[] } {
  const { $ref, anyOf, items, properties } = schema
  if ($ref) return objectIn(schemas, named(schemas, $ref), [...names, $ref])
  if (items) return objectIn(schemas, items, names)
  const other = properties ? undefined : anyOf?.find(({ type }) => type !== 'null')
  return other ? objectIn(schemas, other, names) : { shape: schema, names }
}

function named(schemas: Schemas, reference: string): ApiSchema {
  return schemas[reference.slice(reference.lastIndexOf('/') + 1)] ?? {}
}
