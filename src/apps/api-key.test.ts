import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { makeApiKey, readApiKey } from './api-key.ts'

test('a key is read back as it was made', () => {
  for (const environment of ['production', 'sandbox'] as const) {
    const { text, publicId, secret } = makeApiKey(environment)
    assert.match(text, environment === 'production' ? /^mdk_live_/ : /^mdk_test_/)
    assert.equal(text.length, 9 + 22 + 43 + 6)
    assert.deepEqual(readApiKey(text), { environment, publicId, secret })
  }
})

test('a public id ends with two octets for the cell of its tenant, the first of all', () => {
  const numbers = Array.from({ length: 50 }, () => numberIn(makeApiKey('production').publicId))
  for (const number of numbers) assert.equal(number & 0xffffn, 0n)
  assert.equal(new Set(numbers).size, numbers.length)
})

function numberIn(base62: string): bigint {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  return [...base62].reduce((value, digit) => value * 62n + BigInt(digits.indexOf(digit)), 0n)
}

test('any one character that is changed is noticed', () => {
  const { text } = makeApiKey('production')
  fc.assert(
    fc.property(fc.integer({ min: 0, max: text.length - 1 }), fc.constantFrom(...'0aZ9_-é '), (at, character) => {
      fc.pre(text[at] !== character)
      assert.equal(readApiKey(text.slice(0, at) + character + text.slice(at + 1)), undefined)
    }),
  )
})

test('what is not a key is not read as one', () => {
  for (const text of [
    '',
    'mdk_live_',
    'sk_live_abc',
    `${makeApiKey('sandbox').text}x`,
    ` ${makeApiKey('sandbox').text}`,
  ]) {
    assert.equal(readApiKey(text), undefined)
  }
})

test('a live key cannot be passed off as a test key', () => {
  const { text } = makeApiKey('production')
  assert.equal(readApiKey(text.replace('mdk_live_', 'mdk_test_')), undefined)
})
