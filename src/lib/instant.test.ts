import assert from 'node:assert/strict'
import { test } from 'node:test'
import { laterBy, parseInstant } from './instant.ts'

const NOON = Date.UTC(2026, 0, 2, 12) * 1000

test('an ISO 8601 instant is read to the microsecond', () => {
  for (const [text, micros] of [
    ['2026-01-02T12:00:00Z', NOON],
    ['2026-01-02T12:00:00.123456Z', NOON + 123_456],
    ['2026-01-02T12:00:00.5Z', NOON + 500_000],
    ['2026-01-02T12:00:00.123456789Z', NOON + 123_456],
    ['2026-01-02T13:00:00+01:00', NOON],
    ['2026-01-02T13:00:00+0100', NOON],
    ['2026-01-02T13:00:00 01:00', NOON],
    ['2026-01-02T11:00:00-01:00', NOON],
    ['2026-01-02T12:00Z', NOON],
    ['2026-01-02T12:00:00', NOON],
    ['2026-01-02', NOON - 12 * 3_600_000_000],
    ['1970-01-01T00:00:00.000001Z', 1],
    ['1969-12-31T23:59:59.999999Z', 0],
    ['0001-01-01T00:00:00+23:59', 0],
  ] as const) {
    assert.equal(parseInstant(text), micros, text)
  }
})

test('what is no instant is not read as one', () => {
  for (const text of [
    '',
    'now',
    '1735819200',
    '2026-13-01',
    '2026-02-29',
    '2026-01-02T25:00:00Z',
    '2026-01-02T12:00:00Zx',
    '2026-01-02T12:00:00 ',
    '2026-01-02T12:00:00  01:00',
  ]) {
    assert.equal(parseInstant(text), undefined, text)
  }
})

test('an instant of the database is moved on to the millisecond, over the end of a year too', () => {
  assert.equal(laterBy(0, '2026-01-01T00:00:00.123456Z'), '2026-01-01T00:00:00.123000Z')
  assert.equal(laterBy(90_001, '2025-12-31T23:59:00.000000Z'), '2026-01-01T00:00:30.001000Z')
})
