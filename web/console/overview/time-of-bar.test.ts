import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timeOfBar } from './time-of-bar.ts'

test('an hour is written by the clock, and one that it shows twice with its offset', () => {
  for (const [since, zone, expected] of [
    ['2026-11-22T13:00:00.000000Z', 'Europe/Berlin', '14:00'],
    ['2026-11-22T13:00:00.000000Z', 'Asia/Kolkata', '18:30'],
    ['2026-10-25T00:00:00.000000Z', 'Europe/Berlin', '02:00 GMT+2'],
    ['2026-10-25T01:00:00.000000Z', 'Europe/Berlin', '02:00 GMT+1'],
    ['2026-10-25T02:00:00.000000Z', 'Europe/Berlin', '03:00'],
  ] as const) {
    assert.equal(timeOfBar({ since }, 'today', zone), expected)
  }
})

test('a day is written with its date in the zone', () => {
  assert.equal(timeOfBar({ since: '2026-11-21T23:00:00.000000Z' }, 'days', 'Europe/Berlin'), 'Sun 22 Nov')
})
