// Validators are made without looking at whether what they are made of is a JSON Schema (src/servers/http/validation.ts).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv } from 'ajv'
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
