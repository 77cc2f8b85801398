import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chosenAmong, extentOf, NONE, toggle, toggleTo } from './chosen.ts'
import { rowTime } from './row-time.ts'
import { rangeOf, scrollToShow, scrollToStay, windowOf } from './window-of.ts'

test('rows that show in part show, and none beyond the list', () => {
  const view = { height: 100, rowHeight: 20, count: 1_000 }
  for (const [scrollTop, first, last] of [
    [0, 0, 4],
    [1, 0, 5],
    [20, 1, 5],
    [19_900, 995, 999],
    [99_999, 999, 999],
    [-30, 0, 4],
  ] as const) {
    assert.deepEqual(rangeOf({ ...view, scrollTop }), { first, last }, String(scrollTop))
  }
  assert.deepEqual(rangeOf({ ...view, count: 0, scrollTop: 0 }), { first: 0, last: 0 })
  assert.deepEqual(windowOf({ first: 500, last: 504 }, 1_000), { first: 484, last: 520 })
  assert.deepEqual(windowOf({ first: 0, last: 4 }, 3), { first: 0, last: 2 })
})

test('a row is scrolled to no further than it takes to show it', () => {
  const view = { scrollTop: 100, height: 100, rowHeight: 20, count: 50 }
  assert.deepEqual(
    [4, 5, 9, 10].map((index) => scrollToShow(index, view)),
    [80, 100, 100, 120],
  )
  assert.equal(scrollToStay(100, 5, 8, 20), 160)
  assert.equal(scrollToStay(10, 5, 0, 20), 0)
})

test('rows are chosen one by one, or from the last one to another', () => {
  const keys = ['a', 'b', 'c', 'd']
  const one = toggle(NONE, 'b')
  assert.deepEqual([...toggle(one, 'b')], [])
  assert.deepEqual([...toggleTo(one, keys, 'b', 'd')], ['b', 'c', 'd'])
  assert.deepEqual([...toggleTo(new Set(keys), keys, 'c', 'a')], ['d'])
  assert.deepEqual([...toggleTo(NONE, keys, undefined, 'c')], ['c'])
  assert.deepEqual([...toggleTo(NONE, keys, 'gone', 'c')], ['c'])
  assert.deepEqual(chosenAmong(new Set(['d', 'gone', 'a']), keys), ['a', 'd'])
  assert.deepEqual([extentOf(0, 0), extentOf(0, 4), extentOf(2, 4), extentOf(4, 4)], ['none', 'none', 'some', 'all'])
})

test('a time is as short as it can be', () => {
  const now = new Date(2026, 10, 23, 15, 0).getTime()
  const at = (...parts: [number, number, number, number, number]) => new Date(...parts).toISOString()
  assert.equal(rowTime(at(2026, 10, 23, 9, 5), now), '09:05')
  assert.equal(rowTime(at(2026, 10, 23, 0, 0), now), '00:00')
  assert.equal(rowTime(at(2026, 10, 22, 23, 59), now), 'Nov 22')
  assert.equal(rowTime(at(2024, 0, 2, 9, 5), now), 'Jan 2, 2024')
})
