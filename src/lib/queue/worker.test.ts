import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitAfterFaultMs } from './worker.ts'

test('a job whose handler throws waits twice as long each time, a minute at most', () => {
  assert.deepEqual([1, 2, 3, 6, 7, 50].map(waitAfterFaultMs), [1_000, 2_000, 4_000, 32_000, 60_000, 60_000])
})
