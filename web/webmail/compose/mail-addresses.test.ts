import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  endsAnAddress,
  looksLikeAddress,
  recipientsIn,
  sameAddress,
  withoutDoubles,
  written,
} from './mail-addresses.ts'

test('lists are read as people paste them', () => {
  assert.deepEqual(recipientsIn('a@x.test, "B, C" <b@y.test>; d@z.test\nE F <e@f.test>\r\n'), [
    { address: 'a@x.test', name: null },
    { address: 'b@y.test', name: 'B, C' },
    { address: 'd@z.test', name: null },
    { address: 'e@f.test', name: 'E F' },
  ])
  assert.deepEqual(recipientsIn('Team: a@x.test, b@y.test;'), [
    { address: 'a@x.test', name: null },
    { address: 'b@y.test', name: null },
  ])
  assert.deepEqual(recipientsIn(' ,; \n'), [])
  // To be put right.
  assert.deepEqual(recipientsIn('grace'), [{ address: 'grace', name: null }])
  assert.equal(recipientsIn('x'.repeat(1_000))[0]?.address.length, 320)
})

test('what is written of one is read as the same', () => {
  for (const name of [null, 'Ada', 'Łukasz O’Neil', 'B, C', 'say "hi" \\ now', 'a@b']) {
    assert.deepEqual(recipientsIn(written({ address: 'a@x.test', name })), [{ address: 'a@x.test', name }])
  }
})

test('a comma ends an address, but not within quotes or brackets', () => {
  for (const text of ['a@x.test,', 'a@x.test; ', '"B, C" <b@y.test>,']) assert(endsAnAddress(text), text)
  for (const text of ['a@x.test', '"B,', '"B \\",', 'B <b@y.test,']) assert(!endsAnAddress(text), text)
})

test('an address in any script looks like one, and what is none does not', () => {
  for (const good of ['a@x.test', 'jürgen@münchen.example', 'почта@пример.рф', "o'neil+x@a-b.example", 'अ@डोमेन.भारत']) {
    assert(looksLikeAddress(good), good)
  }
  for (const bad of [
    '',
    'a',
    'a@',
    '@x.test',
    'a@x',
    'a b@x.test',
    'a@x..test',
    'a@-x.test',
    `${'a'.repeat(250)}@x.test`,
  ]) {
    assert(!looksLikeAddress(bad), bad)
  }
})

test('addresses that differ in spelling alone are one', () => {
  assert(sameAddress('A@MÜNCHEN.example', 'a@xn--mnchen-3ya.example'))
  assert(!sameAddress('a@x.test', 'b@x.test'))
  assert.deepEqual(
    withoutDoubles(['a@x.test', 'A@X.test', 'b@x.test'].map((address) => ({ address, name: null }))).map(
      ({ address }) => address,
    ),
    ['a@x.test', 'b@x.test'],
  )
})
