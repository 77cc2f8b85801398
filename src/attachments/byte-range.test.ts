import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readByteRange } from './byte-range.ts'

test('one range within the size is read, and anything that is none sends the whole', () => {
  for (const [header, expected] of [
    [undefined, undefined],
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=0-9', { start: 0, end: 9 }],
    ['bytes=5-', { start: 5, end: 9 }],
    ['bytes=5-99', { start: 5, end: 9 }],
    ['bytes=-3', { start: 7, end: 9 }],
    ['bytes=-99', { start: 0, end: 9 }],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=5-4', undefined],
    ['bytes=-', undefined],
    ['bytes=0-1,3-4', undefined],
    ['lines=0-1', undefined],
  ] as const) {
    assert.deepEqual(readByteRange(header, 10), expected, header)
  }
})
