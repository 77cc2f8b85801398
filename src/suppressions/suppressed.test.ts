import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAddressGone } from './is-address-gone.ts'
import { suppressionKey, suppressionKeys } from './suppressed.ts'

test('an address is stopped in every spelling of its domain and in every case', () => {
  for (const spelling of ['Ada@Example.test', 'ada@EXAMPLE.test', 'ADA@example.TEST']) {
    assert.equal(suppressionKey(spelling), 'ada@example.test')
  }
  const key = 'jürgen@xn--mnchen-3ya.example'
  for (const spelling of ['Jürgen@münchen.example', 'JÜRGEN@MÜNCHEN.example', 'jürgen@XN--MNCHEN-3YA.example']) {
    assert.equal(suppressionKey(spelling), key)
  }
  assert.notEqual(suppressionKey('ada+news@example.test'), suppressionKey('ada@example.test'))
})

test('keys are handed on for recipients of which one goes beyond ASCII, and for no others', () => {
  const ascii = { address: 'Ada@Example.test' }
  assert.equal(suppressionKeys([ascii]), null)
  const beyond = { address: 'Ada@München.example' }
  assert.deepEqual(suppressionKeys([ascii, beyond]), ['ada@example.test', 'ada@xn--mnchen-3ya.example'])
})

for (const [code, gone] of [
  ['5.1.1', true],
  ['5.1.2', true],
  ['5.1.3', true],
  ['5.1.6', true],
  ['5.1.10', true],
  ['5.2.1', true],
  ['5.4.4', true],
  [null, false],
  ['5.0.0', false],
  ['5.1.0', false],
  ['5.1.7', false],
  ['5.1.8', false],
  ['5.2.2', false],
  ['5.2.3', false],
  ['5.3.4', false],
  ['5.4.7', false],
  ['5.7.1', false],
  ['5.1.11', false],
  ['4.1.1', false],
] as const) {
  test(`an answer with ${code} says that the address is ${gone ? 'no good any more' : 'perhaps still good'}`, () => {
    assert.equal(isAddressGone(code), gone)
  })
}
