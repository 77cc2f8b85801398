import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysInWords } from './days-in-words.ts'

for (const [days, words] of [
  [null, 'For ever'],
  [30, '30 days'],
  [1, '1 day'],
  [0.5, '12 hours'],
  [1 / 24, '1 hour'],
  [1.25, '1.3 days'],
] as const) {
  test(`${days} is said as “${words}”`, () => assert.equal(daysInWords(days), words))
}
