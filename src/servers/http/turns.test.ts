import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTurns } from './turns.ts'

test('everything else has its turn between two pieces, however many wait', async () => {
  const takeTurn = createTurns()
  const order: string[] = []
  const pieces = ['a', 'b', 'c'].map(async (name) => {
    await takeTurn()
    order.push(name)
    setImmediate(() => order.push(`after ${name}`))
  })
  await Promise.all(pieces)
  assert.deepEqual(order, ['a', 'after a', 'b', 'after b', 'c'])
})
