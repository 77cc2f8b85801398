import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { validationProblem } from '../../access/schema-faults.ts'
import { Closed, Nullable } from '../../lib/schemas.ts'
import { createValidatorCompiler } from './validation.ts'

const schema = Closed(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 2 })),
    note: Type.Optional(Nullable(Type.String({ format: 'text', maxLength: 2 }))),
    tags: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 2 })),
  },
  { minProperties: 1 },
)
const validate = createValidatorCompiler()({ schema, method: 'POST', url: '/', httpPart: 'body' })

const FAULTS: readonly [body: unknown, ...faults: string[]][] = [
  [{ note: null }],
  [{ note: 'ab' }],
  // One fault for one mistake, although the schema has two ways to be kept.
  [{ note: 'abc' }, 'note too_long: must have at most 2 characters'],
  [{ note: 7 }, 'note wrong_type: must be string'],
  [{ note: '\0' }, 'note invalid_text: must not contain NUL or half a surrogate pair'],
  [
    { note: '\0bc' },
    'note too_long: must have at most 2 characters',
    'note invalid_text: must not contain NUL or half a surrogate pair',
  ],
  [{ name: '' }, 'name too_short: must have at least 1 character'],
  [{ tags: [] }, 'tags too_few: must have at least 1 item'],
  [{ tags: ['a', 'b', 'c'] }, 'tags too_many: must have at most 2 items'],
  [{}, ' required: must have at least 1 field'],
  [null, ' wrong_type: must be object'],
]
for (const [body, ...faults] of FAULTS) {
  test(`${JSON.stringify(body)} is ${faults.length > 0 ? 'refused field by field' : 'taken'}`, () => {
    if (faults.length === 0) return assert.equal(validate(body), true)
    assert.equal(validate(body), false)
    const { fields } = validationProblem((validate as { errors?: never }).errors ?? []).details as {
      fields: { path: string; code: string; message: string }[]
    }
    assert.deepEqual(
      fields.map(({ path, code, message }) => `${path} ${code}: ${message}`),
      faults,
    )
  })
}
