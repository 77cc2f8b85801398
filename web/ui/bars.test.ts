import assert from 'node:assert/strict'
import { test } from 'node:test'
import { heightsOf } from './bars.ts'

test('bars are as high as their share of the highest, and what is not nothing is seen', () => {
  for (const [values, heights] of [
    [[], []],
    [
      [0, 0],
      [0, 0],
    ],
    [
      [1, 2, 4],
      [10, 20, 40],
    ],
    [
      [0, 1, 1_000_000],
      [0, 2, 40],
    ],
  ] as const) {
    assert.deepEqual(heightsOf(values), heights)
  }
})
