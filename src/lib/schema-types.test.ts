import assert from 'node:assert/strict'
import { test } from 'node:test'
import TypeBox from 'typebox'
import { Type } from './schema-types.ts'

/** The same schemas by builders that are all alike in what they take. */
const schemasBy = (by: typeof Type) => [
  by.Array(by.Integer({ minimum: 1 }), { maxItems: 2 }),
  by.Boolean({ description: 'words' }),
  by.Literal('word'),
  by.Literal(true, { description: 'words' }),
  by.Literal(3),
  by.Null(),
  by.Object({}),
  by.Object({ a: by.String(), b: by.Optional(by.String()), c: by.Integer() }, { additionalProperties: false }),
  by.Object({ a: by.Optional(by.With(by.Null(), { description: 'words' })) }),
  by.Record(by.String(), by.Integer(), { description: 'words' }),
  by.String({ type: 'string', minLength: 1, format: 'email' }),
  by.Union([by.String(), by.Null()], { description: 'words' }),
  by.Unsafe<1 | 2>({ enum: [1, 2] }),
  by.With(by.String({ description: 'these' }), { description: 'those' }),
]

test('schemas are those that TypeBox makes, to the order of their keywords', () => {
  assert.deepEqual(schemasBy(Type).map(asText), schemasBy(TypeBox).map(asText))
})

test('what is made of a schema leaves the schema as it was', () => {
  const schema = Type.String({ description: 'these' })
  Type.Optional(schema)
  Type.Unsafe(schema)
  Type.With(schema, { description: 'those' })
  assert.deepEqual(Type.Object({ schema }), {
    type: 'object',
    required: ['schema'],
    properties: { schema: { type: 'string', description: 'these' } },
  })
})

const asText = (schema: object) => JSON.stringify(schema)
