// Validators are made without looking at whether what they are made of is a JSON Schema (src/servers/http/validation.ts).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import { fastify } from 'fastify'
import { addFormats } from '../lib/formats.ts'
import { Type } from '../lib/schema-types.ts'
import { Closed, Nullable } from '../lib/schemas.ts'
import { OPERATIONS } from '../servers/api/operations.ts'
import { CONSOLE_OPERATIONS } from '../servers/console/operations.ts'
import { createValidatorCompiler } from '../servers/http/validation.ts'
import { WEBMAIL_OPERATIONS } from '../servers/webmail/operations.ts'

const DECLARED = [...OPERATIONS, ...CONSOLE_OPERATIONS, ...WEBMAIL_OPERATIONS]

test('whatever an operation of any listener declares is a JSON Schema, and requests can be held against it', () => {
  assert(DECLARED.length > OPERATIONS.length + 30)
  const schemas = new Ajv()
  const compiler = createValidatorCompiler()
  for (const { params, query, body, method, path } of DECLARED) {
    for (const schema of [params, query, body]) {
      if (typeof schema !== 'object') continue
      assert(schemas.validateSchema(schema), `${method} ${path}: ${schemas.errorsText()}`)
      assert.doesNotThrow(() => compiler({ schema, method, url: path, httpPart: 'body' })({}), `${method} ${path}`)
    }
  }
})

test('requests name no format that nothing knows', () => {
  const known = Object.keys(addFormats(new Ajv()).formats)
  for (const { params, query, body, method, path } of DECLARED) {
    const unknown = formatsIn([params, query, body]).filter((format) => !known.includes(format))
    assert.deepEqual(unknown, [], `${method} ${path}`)
  }
})

/** Where an answer is one of several shapes, the framework tells them apart by a validator of its own, which knows no format of ours. */
test('answers that are one of several shapes name no format of which their writer would complain in the log', async (t) => {
  const warned = t.mock.method(console, 'warn', () => {})
  const complaintsOf = async (format: string) => {
    const before = warned.mock.callCount()
    const server = fastify()
    const schema = { response: { 200: Closed({ a: Nullable(Type.String({ format })) }) } }
    server.get('/', { schema }, () => ({ a: 'x' }))
    await server.inject('/').finally(() => server.close())
    return warned.mock.callCount() - before
  }
  assert((await complaintsOf('text')) > 0)
  const answers = DECLARED.flatMap((operation) =>
    'answers' in operation ? Object.values<unknown>(operation.answers) : [operation.answer],
  )
  const formats = new Set(formatsIn(choicesIn(answers)))
  assert(formats.has('uuid'))
  for (const format of formats) assert.equal(await complaintsOf(format), 0, format)
})

const formatsIn = (schema: unknown): string[] =>
  membersOf(schema).flatMap(([name, value]) =>
    name === 'format' && typeof value === 'string' ? [value] : formatsIn(value),
  )

/** What stands in it as one of several shapes. */
const choicesIn = (schema: unknown): unknown[] =>
  membersOf(schema).flatMap(([name, value]) => (['anyOf', 'oneOf'].includes(name) ? [value] : choicesIn(value)))

const membersOf = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : []
