import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MOST_HEIGHT, readNotice } from './frame-notice.ts'

test('what the frame says is taken within bounds', () => {
  assert.deepEqual(readNotice({ type: 'ready', more: 1 }), { type: 'ready' })
  assert.deepEqual(readNotice({ type: 'height', height: 400.2 }), { type: 'height', height: 401 })
  assert.deepEqual(readNotice({ type: 'height', height: 1e9 }), { type: 'height', height: MOST_HEIGHT })
  assert.deepEqual(readNotice({ type: 'height', height: -1 }), { type: 'height', height: 80 })
  assert.deepEqual(readNotice({ type: 'shown', heldBack: 3, misleading: 1e9 }), {
    ...{ type: 'shown', heldBack: 3, misleading: 10_000 },
  })
})

test('whatever else it says is nothing', () => {
  const others = [
    null,
    undefined,
    'ready',
    1,
    [],
    {},
    { type: 'other' },
    { type: 'height' },
    { type: 'height', height: '9' },
  ]
  const notNumbers = [
    { type: 'height', height: Number.NaN },
    { type: 'shown', heldBack: 1, misleading: null },
  ]
  for (const data of [...others, ...notNumbers]) assert.equal(readNotice(data), undefined)
})
