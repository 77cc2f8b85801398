import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createShares } from './shares.ts'

test('one alone has half of it, and not a bit more', () => {
  const shares = createShares(100)
  assert(!shares.take('a', 51))
  assert(shares.take('a', 50))
  assert(!shares.fits('a', 1))
  assert(shares.take('a', 0))
  shares.giveBack('a', 1)
  assert(shares.take('a', 1))
})

test('several have the same, with as much again left for the next', () => {
  for (const holders of [2, 3, 10, 99]) {
    const shares = createShares(1_000)
    const held = Array.from({ length: holders }, () => 0)
    for (let taken = true; taken; ) {
      taken = false
      for (const i of held.keys()) {
        if (!shares.take(String(i), 1)) continue
        held[i] = (held[i] as number) + 1
        taken = true
      }
    }
    const left = 1_000 - held.reduce((sum, each) => sum + each)
    assert(Math.max(...held) - Math.min(...held) <= 1, held.join())
    assert(Math.max(...held) <= left && left <= Math.max(...held) + holders, `${held} ${left}`)
  }
})

test('whoever took much while he was alone leaves room for others all the same', () => {
  const shares = createShares(100)
  assert(shares.take('first', 50))
  assert(shares.take('second', 25))
  assert(!shares.fits('second', 1))
  assert(shares.take('third', 12))
  assert(!shares.fits('first', 1))
  shares.giveBack('first', 50)
  assert(shares.take('third', 20))
})
