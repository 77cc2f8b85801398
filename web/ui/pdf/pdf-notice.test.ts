import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MOST_PAGES, readNotice, readPdf } from './pdf-notice.ts'

test('what the frame says is taken within bounds, and without what else it says', () => {
  for (const type of ['ready', 'partly', 'escape']) assert.deepEqual(readNotice({ type, pages: 'x' }), { type })
  assert.deepEqual(readNotice({ type: 'opened', pages: MOST_PAGES, page: 1 }), { type: 'opened', pages: MOST_PAGES })
  assert.deepEqual(readNotice({ type: 'page', page: 1 }), { type: 'page', page: 1 })
  assert.deepEqual(readNotice({ type: 'fault', why: 'password' }), { type: 'fault', why: 'password' })
  for (const why of ['toString', '<b>', 1, undefined]) {
    assert.deepEqual(readNotice({ type: 'fault', why }), { type: 'fault', why: 'broken' })
  }
})

test('whatever else it says is nothing', () => {
  const counts = [0, -1, 1.5, MOST_PAGES + 1, Number.NaN, Number.POSITIVE_INFINITY, '3', null]
  const others = [null, undefined, 'ready', 1, [], {}, { type: 'other' }, { type: 'opened' }, { type: 'page' }]
  for (const data of [
    ...others,
    ...counts.flatMap((n) => [
      { type: 'opened', pages: n },
      { type: 'page', page: n },
    ]),
  ]) {
    assert.equal(readNotice(data), undefined)
  }
})

test('a file to show is told from whatever else is said to frames', () => {
  const [pdf, reader] = [new ArrayBuffer(1), new ArrayBuffer(2)]
  assert.deepEqual(readPdf({ pdf, reader, more: 1 }), { pdf, reader })
  for (const data of [null, undefined, 'axe', 1, [], {}, { pdf }, { reader }, { pdf: 'x', reader }]) {
    assert.equal(readPdf(data), undefined)
  }
})
