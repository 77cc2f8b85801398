import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aheadOf, standing, surplusOf } from './rate-share.ts'

test('a process holds ahead what it has lately used, a hundredth of the limit and a sixteenth of what is left at most', () => {
  for (const [most, reserved, lately, before, ahead] of [
    [50_000, 0, 0, 0, 0],
    [50_000, 100, 3, 4, 7],
    [50_000, 100, 300, 199, 499],
    [50_000, 100, 300, 400, 500],
    [50_000, 42_000, 300, 400, 500],
    [50_000, 49_680, 300, 400, 20],
    [50_000, 49_985, 300, 400, 0],
    [50_000, 50_000, 300, 400, 0],
    [1_000, 1_200, 300, 400, 0],
    [99, 0, 50, 50, 0],
    [100, 0, 50, 50, 1],
  ] as const) {
    assert.equal(aheadOf({ reserved, held: 0, lately, before }, most), ahead, `${most} ${reserved}`)
  }
})

test('what is given back is what the time since the last look had no use for', () => {
  for (const [held, lately, surplus] of [
    [10, 0, 10],
    [10, 4, 6],
    [10, 10, 0],
    [10, 25, 0],
    [0, 0, 0],
  ] as const) {
    assert.equal(surplusOf({ reserved: 100, held, lately, before: 0 }), surplus)
  }
})

test('a subject learns what is left, and when the window ends, in whole seconds', () => {
  assert.deepEqual(standing(10, 3, 1_001, false), { limit: 10, remaining: 7, resetSeconds: 2, refused: false })
  assert.deepEqual(standing(10, 10, 1_000, false), { limit: 10, remaining: 0, resetSeconds: 1, refused: false })
  assert.deepEqual(standing(10, 12, 0, true), { limit: 10, remaining: 0, resetSeconds: 1, refused: true })
})
