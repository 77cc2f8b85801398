import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retryWait } from './retry-wait.ts'

const backoff = { firstMs: 5_000, mostMs: 900_000 }

test('waits double from the first to the longest', () => {
  const waits = [0, 1, 2, 7, 8, 1000].map((attempt) => retryWait(backoff, attempt, 0))
  assert.deepEqual(waits, [5_000, 10_000, 20_000, 600_000, 600_000, 600_000])
})

test('chance adds up to a half, and goes beyond neither bound', () => {
  const waits = [0, 1, 2, 7, 8, 1000].map((attempt) => retryWait(backoff, attempt, 0.9999999))
  assert.deepEqual(waits, [7_500, 15_000, 30_000, 900_000, 900_000, 900_000])
  for (const random of [0, 0.5, 0.9999999]) {
    assert.equal(retryWait({ firstMs: 100, mostMs: 100 }, 3, random), 100)
    assert(retryWait({ firstMs: 100, mostMs: 120 }, 0, random) <= 120)
  }
})
