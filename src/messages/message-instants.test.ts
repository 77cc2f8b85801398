import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextInstant } from './message-instants.ts'

/** The instants of messages that came so. */
function instantsOf(arrivals: number[]): number[] {
  const instants: number[] = []
  for (const arrived of arrivals) instants.push(nextInstant(instants.at(-1) ?? Number.NEGATIVE_INFINITY, arrived))
  return instants
}

test('a message that comes alone is dated when it came', () => {
  assert.deepEqual(instantsOf([5_000, 9_000, 9_200]), [5_000, 9_000, 9_200])
})

test('two hundred that come at once are spread, five in a millisecond', () => {
  const instants = instantsOf(Array.from({ length: 201 }, () => 1_000_000))
  assert.deepEqual(
    instants,
    instants.map((_, i) => 1_000_000 + i * 200),
  )
})

test('each has an instant of its own, later than the one before, and not later than two hundred take unless it must', () => {
  const instants = instantsOf(Array.from({ length: 500 }, () => 0))
  for (const [i, instant] of instants.entries()) {
    if (i > 0) assert(instant > (instants[i - 1] as number))
    assert(instant <= Math.max(200 * 200, 200 * 200 + i - 200), `${i}: ${instant}`)
  }
})
