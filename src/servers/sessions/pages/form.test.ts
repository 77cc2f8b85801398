import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readForm } from './form.ts'

const read = (body: string | Buffer) => Object.fromEntries(readForm(Buffer.from(body)))

test('fields are read as browsers write them', () => {
  assert.deepEqual(read('login=ada%40example.com&password=four+words%20%C3%BC%26&to='), {
    login: 'ada@example.com',
    password: 'four words ü&',
    to: '',
  })
  assert.deepEqual(read(''), {})
})

test('odd encodings are text, and names of objects are names', () => {
  assert.deepEqual(read('a=%zz&b=%ff&=c&d'), { a: '%zz', b: '\ufffd', '': 'c', d: '' })
  assert.equal(readForm(Buffer.from('__proto__=1&constructor=2')).get('__proto__'), '1')
  assert.equal(readForm(Buffer.from('')).get('constructor'), undefined)
})

test('a field twice, and NUL, are refused', () => {
  for (const body of ['login=a&login=b', 'login=a%00b']) assert.throws(() => read(body), { code: 'validation_error' })
})
