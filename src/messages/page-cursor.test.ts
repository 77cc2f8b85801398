import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodePageCursor, encodePageCursor } from './page-cursor.ts'

const MICROS = Date.parse('2026-01-02T03:04:05Z') * 1000

test('a cursor is an instant that every reader of RFC 3339 takes, and comes back to its place', () => {
  const cursor = encodePageCursor('2026-01-02T03:04:05.000700Z', 42)
  assert.equal(cursor, '2026-01-02T03:04:05.00070042Z')
  assert(!Number.isNaN(Date.parse(cursor)))
  assert.deepEqual(decodePageCursor(cursor), { micros: MICROS + 700, seq: 42 })
  assert.deepEqual(decodePageCursor(encodePageCursor('2026-01-02T03:04:05.999999Z', 9_007_199_254_740_991)), {
    micros: MICROS + 999_999,
    seq: 9_007_199_254_740_991,
  })
})

test('a plain instant means strictly older than it', () => {
  for (const [text, micros] of [
    ['2026-01-02T03:04:05Z', MICROS],
    ['2026-01-02T03:04:05.5Z', MICROS + 500_000],
    ['2026-01-02T03:04:05.123456Z', MICROS + 123_456],
    ['2026-01-02T05:04:05.123456+02:00', MICROS + 123_456],
    ['2026-01-02', Date.parse('2026-01-02') * 1000],
  ] as const) {
    assert.deepEqual(decodePageCursor(text), { micros, seq: 0 }, text)
  }
})

test('anything else is no cursor', () => {
  for (const text of [
    '',
    'x',
    '12',
    '2026-13-01T00:00:00Z',
    '2026-01-02T03:04:05.1234567890123456789012345Z',
    'null',
  ]) {
    assert.equal(decodePageCursor(text), undefined, text)
  }
})
