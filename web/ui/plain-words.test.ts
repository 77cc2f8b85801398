import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainWords } from './plain-words.ts'

test('a name is shown in the order of its characters, whatever is among them', () => {
  assert.equal(plainWords('invoice-\u202efdp.exe'), 'invoice-fdp.exe')
  assert.equal(plainWords('\u2067a\u2069\u202b\u202c\u202d\u0000\nb'), 'ab')
  for (const words of ['Ünï çödé', 'שלום', 'مرحبا.pdf', '👩‍👩‍👧', 'a b']) assert.equal(plainWords(words), words)
})
