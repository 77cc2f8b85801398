import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lookEveryMs } from './resume-waiting.ts'

test('the relay is asked once in a first wait, every five seconds at least, and never without a pause', () => {
  const pollMs = 250
  const waits = [0, 250, 251, 5_000, 5_001, 36_500 * 86_400_000]
  assert.deepEqual(
    waits.map((firstWaitMs) => lookEveryMs({ firstWaitMs, pollMs })),
    [250, 250, 251, 5_000, 5_000, 5_000],
  )
})
