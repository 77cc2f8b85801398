import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalAddress } from './mail-address.ts'

test('spellings of one address have one form, whose local part is as it was', () => {
  for (const domain of ['münchen.example', 'MÜNCHEN.example', 'mu\u0308nchen.example', 'XN--MNCHEN-3ya.Example']) {
    assert.equal(canonicalAddress(`Jürgen@${domain}`), 'Jürgen@xn--mnchen-3ya.example')
  }
  assert.equal(canonicalAddress('Someone@EXAMPLE.test'), 'Someone@example.test')
  // RFC 5892 A.1: Persian words hold this joiner.
  assert.equal(canonicalAddress('a@نامه\u200cای.example'), 'a@xn--mgba3gch31f060k.example')
})

test('what has no form in ASCII is not made into another address', () => {
  for (const text of [
    '',
    '@',
    'a',
    'a@',
    'a@[127.0.0.1]',
    'a@127.1',
    'a@b.test/c',
    'a@ü.test/c',
    'a@ü\t.test',
    'a@ü%41.test',
  ]) {
    assert.equal(canonicalAddress(text), text)
  }
})
