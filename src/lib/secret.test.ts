import assert from 'node:assert/strict'
import { test } from 'node:test'
import { format, inspect } from 'node:util'
import { Secret } from './secret.ts'

const VALUE = 'whsec_c2hvd3Mgbm93aGVyZQ=='

test('a secret shows as [secret] in every way of printing it', () => {
  const secret = new Secret(VALUE)
  const printed = [
    `${secret}`,
    String(secret),
    secret.toString(),
    JSON.stringify(secret),
    JSON.stringify({ nested: [secret] }),
    inspect(secret),
    inspect({ nested: [secret] }, { showHidden: true, depth: 9 }),
    format('%s %o %O %j', secret, secret, secret, secret),
    new Error('failed', { cause: secret }).cause?.toString() ?? '',
    [secret].join(),
  ]
  for (const text of printed) {
    assert.ok(text.includes('[secret]'), text)
    assert.ok(!text.includes(VALUE), text)
  }
})

test('a secret leaves no enumerable trace of its text', () => {
  const secret = new Secret(VALUE)
  assert.deepEqual(Reflect.ownKeys(secret), [])
  assert.deepEqual(Reflect.ownKeys(structuredClone({ ...secret })), [])
})

test('reveal gives the text', () => {
  assert.equal(new Secret(VALUE).reveal(), VALUE)
})
