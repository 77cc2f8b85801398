import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retryWait } from './retry-wait.ts'

const backoff = { firstMs: 5_000, mostMs: 900_000 }

test('waits double from the first to the longest', () => {
  const waits = [0, 1, 2, 7, 8, 1000].map((attempt) => retryWait(backoff, attempt, 0))
  assert.deepEqual(waits, [5_000, 10_000, 20_000, 640_000, 900_000, 900_000])
})

test('chance adds up to a half', () => {
  assert.equal(retryWait(backoff, 0, 0.999999), 7_500)
})
