import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from './errors.ts'

const invalid = (fields: unknown) =>
  new ApiError(400, { code: 'validation_error', message: 'The request is not valid.', details: { fields } })
const fault = (path: string) => ({ path, code: 'required', message: 'must be given' })

test('the message of an error names each field at fault and what is wrong with it', () => {
  const fields = [fault('toRecipients[0].address'), fault('subject')]
  assert.equal(invalid(fields).message, 'toRecipients[0].address: must be given; subject: must be given')
  assert.deepEqual(invalid(fields).fields, fields)
  assert.equal(invalid([fault('')]).message, 'body: must be given')
})

test('a message names five fields and counts the others', () => {
  const named = ['a', 'b', 'c', 'd', 'e']
  const said = named.map((path) => `${path}: must be given`).join('; ')
  assert.equal(invalid(named.map(fault)).message, said)
  assert.equal(invalid([...named, 'f', 'g'].map(fault)).message, `${said}; and 2 more`)
})

test('an error without fields has the message of its answer, and of an answer without one its status', () => {
  assert.equal(invalid([]).message, 'The request is not valid.')
  for (const fields of [undefined, null, 'to', {}, ['to', null, {}, { path: 1, message: 'x' }]]) {
    assert.equal(invalid(fields).message, 'The request is not valid.')
    assert.deepEqual(invalid(fields).fields, [])
  }
  assert.equal(new ApiError(502, undefined).message, 'The answer was HTTP 502')
})
