import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shareOf } from './amounts.ts'

test('a share is of the limit, and 100 only when all is used', () => {
  assert.equal(shareOf(799, 1000), 79)
  assert.equal(shareOf(800, 1000), 80)
  assert.equal(shareOf(9_999, 10_000), 99)
  assert.equal(shareOf(20, 10), 100)
  assert.equal(shareOf(5, null), 0)
})
