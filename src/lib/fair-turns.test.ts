import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inTurns, turnOfOne } from './fair-turns.ts'

const ownerOf = (item: string) => item.slice(0, 1)
const weightOf = (item: string) => Number(item.slice(1))

test('owners take turns where not all go together, and nobody else is passed over', () => {
  for (const [items, most, taken] of [
    ['', 3, ''],
    ['a1 a2 b1', 3, 'a1 a2 b1'],
    ['a1 a2 a3 a4 b1', 3, 'a1 b1 a2'],
    ['a1 a2 a3 b1 b2 c1', 4, 'a1 b1 c1 a2'],
    ['a1 a2 a3 a4', 2, 'a1 a2'],
    ['a1 b1 c1 d1', 2, 'a1 b1'],
  ] as const) {
    assert.deepEqual(inTurns(words(items), { items: most, weight: 100, weightOf }, ownerOf), words(taken), items)
  }
})

test('they go together as far as they weigh, and one that weighs more goes alone', () => {
  for (const [items, taken] of [
    ['a4 a6', 'a4 a6'],
    ['a4 a7', 'a4'],
    ['a4 a7 b5', 'a4 b5'],
    ['a20 b1', 'a20'],
  ] as const) {
    assert.deepEqual(inTurns(words(items), { items: 9, weight: 10, weightOf }, ownerOf), words(taken), items)
  }
})

test('those of one owner go together in the same way, and then it is another’s turn', () => {
  const most = { items: 3, weight: 10, weightOf }
  for (const [items, last, taken] of [
    ['', undefined, ''],
    ['a20 b1', undefined, 'a20'],
    ['a20 b1', 'a', 'b1'],
    ['a20 a30', 'a', 'a20'],
    ['a4 b4 a5 a2', undefined, 'a4 a5'],
    ['a1 a1 a1 a1', undefined, 'a1 a1 a1'],
    ['a4 b4 c4', 'b', 'a4'],
  ] as const) {
    assert.deepEqual(turnOfOne(words(items), most, last, ownerOf), words(taken), items)
  }
})

function words(text: string): string[] {
  return text.split(' ').filter(Boolean)
}
