import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DOCUMENT } from '../../../test/support/openapi.ts'
import type { ApiSchema } from './api-document.ts'
import { fieldsOf, typeOf } from './fields.ts'

const SCHEMAS = {
  Part: {
    type: 'object',
    description: 'A part.',
    required: ['id'],
    properties: {
      id: { type: 'string', format: 'uuid', description: 'Its name.' },
      parts: { type: 'array', items: { $ref: '#/components/schemas/Part' }, description: 'Those within it.' },
    },
  },
} as const

test('the type of a field is said in a few words', () => {
  const cases: [ApiSchema, string][] = [
    [{ type: 'string' }, 'text'],
    [{ type: 'string', maxLength: 998, default: '' }, 'text, up to 998 characters, "" unless given'],
    [{ type: 'string', minLength: 1, maxLength: 2048, format: 'uri' }, 'URL, 1 to 2,048 characters'],
    [
      { type: 'array', minItems: 1, maxItems: 50, items: { type: 'string', format: 'idn-email', maxLength: 254 } },
      'email address[], 1 to 50',
    ],
    [{ anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] }, 'timestamp or null'],
    [{ anyOf: [{ $ref: '#/components/schemas/Part' }, { type: 'null' }] }, 'object or null'],
    [{ type: 'object', anyOf: [{ required: ['text'] }], properties: {} }, 'object'],
    [{ type: 'integer', minimum: 1, maximum: 100, default: 25 }, 'integer, 1 to 100, 25 unless given'],
    [{ type: 'integer', minimum: 1 }, 'integer, 1 or more'],
    [{ type: 'string', enum: ['a', 'b'] }, 'one of a, b'],
    [{ type: 'array', minItems: 1, maxItems: 20, items: { enum: ['a', 'b'] } }, 'array, 1 to 20, each one of a, b'],
    [{ const: true, type: 'boolean' }, 'true'],
    [{ type: ['object', 'null'] }, 'object or null'],
  ]
  for (const [schema, expected] of cases) assert.equal(typeOf(SCHEMAS, schema), expected)
})

test('fields lie within the fields that hold them, and a shape within itself is shown once', () => {
  const id = { name: 'id', type: 'UUID', isRequired: true, description: 'Its name.', fields: [] }
  const parts = { name: 'parts', type: 'object[]', isRequired: false, description: 'Those within it.', fields: [] }
  assert.deepEqual(fieldsOf(SCHEMAS, { $ref: '#/components/schemas/Part' }), [id, parts])
  const around = { type: 'object', properties: { part: { $ref: '#/components/schemas/Part' } } }
  const part = { name: 'part', type: 'object', isRequired: false, description: 'A part.', fields: [id, parts] }
  assert.deepEqual(fieldsOf(SCHEMAS, around), [part])
})

test('every format of the contract has a word', () => {
  const formats = [...new Set(JSON.stringify(DOCUMENT).match(/(?<="format":")[^"]+/g))]
  assert(formats.includes('uuid'))
  for (const format of formats) assert.notEqual(typeOf({}, { type: 'string', format }), 'text', format)
})
