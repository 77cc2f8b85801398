import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textOf } from '../drafts/text-of.ts'
import { signatureOf } from './signature-text.ts'

test('a signature is as it was typed, whatever was typed', () => {
  for (const typed of ['Ada', 'Ada\nShop & Co', 'Ada <ada@shop.example>', 'a\n\nb', '&lt;b&gt; "q"']) {
    assert.equal(textOf({ format: 'html', body: signatureOf(typed) ?? '' }), typed)
  }
})

test('of nothing but space there is none', () => {
  assert.equal(signatureOf(' \n '), null)
})
