import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sumOf, sumsByDay } from './usage-sums.ts'

test('what the days come to and what the rows come to is the same', () => {
  const rows = [
    [1, 0, 3],
    [0, 2, 5],
  ]
  assert.deepEqual(sumsByDay(3, rows), [1, 2, 8])
  assert.equal(sumOf(sumsByDay(3, rows)), sumOf(rows.map(sumOf)))
})

test('without rows each day has nothing', () => {
  assert.deepEqual(sumsByDay(2, []), [0, 0])
  assert.equal(sumOf([]), 0)
})
