import assert from 'node:assert/strict'
import { test } from 'node:test'
import { validationProblem } from '../../access/schema-faults.ts'
import { Type } from '../../lib/schema-types.ts'
import { atLeastOneOf, Closed, Nullable, OneOf } from '../../lib/schemas.ts'
import { createValidatorCompiler } from './validation.ts'

const schema = Closed(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 2 })),
    note: Type.Optional(Nullable(Type.String({ format: 'text', maxLength: 2 }))),
    tags: Type.Optional(Type.Array(Nullable(Type.String({ maxLength: 2 })), { minItems: 1, maxItems: 2 })),
    count: Type.Optional(Type.Integer({ minimum: 1 })),
    kind: Type.Optional(OneOf(['big', 'small'])),
    more: Type.Optional(Closed({ isOpen: Type.Boolean() })),
  },
  atLeastOneOf('name', 'note', 'tags', 'count', 'kind', 'more'),
)
const validate = createValidatorCompiler()({ schema, method: 'POST', url: '/', httpPart: 'body' })

const FAULTS: readonly [body: unknown, ...faults: string[]][] = [
  [{ note: null }],
  [{ note: 'ab' }],
  [{ tags: [null, 'ab'] }],
  // One fault for one mistake, although the schema has two ways to be kept.
  [{ note: 'abc' }, 'note too_long: must have at most 2 characters'],
  [{ note: 7 }, 'note wrong_type: must be a string or null'],
  [{ note: '\0' }, 'note invalid_text: must not contain NUL or half a surrogate pair'],
  [{ note: '\0bc' }, 'note too_long: must have at most 2 characters'],
  [
    { tags: ['abc', 7], note: [] },
    'note wrong_type: must be a string or null',
    'tags[0] too_long: must have at most 2 characters',
    'tags[1] wrong_type: must be a string or null',
  ],
  [{ name: '' }, 'name too_short: must have at least 1 character'],
  [{ tags: [] }, 'tags too_few: must have at least 1 item'],
  [{ tags: ['a', 'b', 'c'] }, 'tags too_many: must have at most 2 items'],
  [{ tags: {} }, 'tags wrong_type: must be a list'],
  [{ count: 0.5 }, 'count wrong_type: must be a whole number'],
  [{ count: 0 }, 'count too_small: must be at least 1'],
  [{ kind: 7 }, 'kind not_allowed: must be one of big, small'],
  [{ kind: 'odd' }, 'kind not_allowed: must be one of big, small'],
  [{ more: { isOpen: 1 } }, 'more.isOpen wrong_type: must be true or false'],
  [
    { more: { is_open: true } },
    'more.isOpen required: must be given',
    'more.is_open unknown_field: is not known here; did you mean isOpen?',
  ],
  [{ name: 'a', odd: 1 }, 'odd unknown_field: is not known here'],
  [{}, ' required: must have at least one of name, note, tags, count, kind, more'],
  [
    { nmae: 'a' },
    ' required: must have at least one of name, note, tags, count, kind, more',
    'nmae unknown_field: is not known here; did you mean name?',
  ],
  [null, ' wrong_type: must be an object'],
  [[], ' wrong_type: must be an object'],
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

test('a schema is looked at when the first request needs it', () => {
  const compiler = createValidatorCompiler()
  const validate = compiler({ schema: { type: 'nonsense' }, method: 'POST', url: '/', httpPart: 'body' })
  assert.throws(() => validate({}), /type must be JSONType/)
})
