import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hoursOfDay, isTimeZone, lastDays } from './bars-of-time.ts'

const iso = (ms: number) => new Date(ms).toISOString().slice(0, 16)
const HOUR_MS = 3_600_000

describe('bars of time', () => {
  for (const [zone, now, begins, ends, hours, what] of [
    ['UTC', '2026-11-22T23:59:59Z', '2026-11-22T00:00', '2026-11-23T00:00', 24, 'a day'],
    ['UTC', '2026-11-22T00:00:00Z', '2026-11-22T00:00', '2026-11-23T00:00', 24, 'its first instant'],
    [
      'Europe/Berlin',
      '2026-03-29T12:00:00Z',
      '2026-03-28T23:00',
      '2026-03-29T22:00',
      23,
      'the day on which summer begins',
    ],
    ['Europe/Berlin', '2026-10-25T12:00:00Z', '2026-10-24T22:00', '2026-10-25T23:00', 25, 'the day on which it ends'],
    ['Asia/Kolkata', '2026-06-01T12:00:00Z', '2026-05-31T18:30', '2026-06-01T18:30', 24, 'half an hour from UTC'],
    ['Asia/Kathmandu', '2026-06-01T12:00:00Z', '2026-05-31T18:15', '2026-06-01T18:15', 24, 'a quarter of an hour'],
    ['Australia/Lord_Howe', '2026-10-04T03:00:00Z', '2026-10-03T13:30', '2026-10-04T13:00', 24, 'a day of 23½ hours'],
    ['Australia/Lord_Howe', '2026-04-05T03:00:00Z', '2026-04-04T13:00', '2026-04-05T13:30', 25, 'a day of 24½ hours'],
    [
      'Pacific/Kiritimati',
      '2026-06-01T12:00:00Z',
      '2026-06-01T10:00',
      '2026-06-02T10:00',
      24,
      'the east of the date line',
    ],
    ['Pacific/Niue', '2026-06-01T10:30:00Z', '2026-05-31T11:00', '2026-06-01T11:00', 24, 'the west of it'],
    ['Africa/Cairo', '2026-04-24T12:00:00Z', '2026-04-23T22:00', '2026-04-24T21:00', 23, 'a day without a midnight'],
  ] as const) {
    test(`${what}, in ${zone}`, () => {
      const bars = hoursOfDay(Date.parse(now), zone)
      assert.equal(iso(bars[0]?.sinceMs ?? 0), begins)
      assert.equal(iso(bars.at(-1)?.untilMs ?? 0), ends)
      assert.equal(bars.length, hours)
      for (const [i, { sinceMs, untilMs }] of bars.entries()) {
        assert.equal(sinceMs, bars[i - 1]?.untilMs ?? sinceMs)
        assert(untilMs - sinceMs === HOUR_MS || i === bars.length - 1)
      }
    })
  }

  test('thirty days follow each other without a gap, the last of them today, over both changes of the clocks', () => {
    for (const [now, longest, shortest] of [
      ['2026-04-10T10:00:00Z', 24, 23],
      ['2026-11-10T10:00:00Z', 25, 24],
    ] as const) {
      const days = lastDays(Date.parse(now), 30, 'Europe/Berlin')
      assert.equal(days.length, 30)
      const lengths = days.map(({ sinceMs, untilMs }) => (untilMs - sinceMs) / HOUR_MS)
      assert.deepEqual([Math.max(...lengths), Math.min(...lengths)], [longest, shortest])
      for (const [i, { sinceMs }] of days.entries()) assert.equal(sinceMs, days[i - 1]?.untilMs ?? sinceMs)
      assert.equal(days.at(-1)?.sinceMs, hoursOfDay(Date.parse(now), 'Europe/Berlin')[0]?.sinceMs)
    }
  })

  test('a date that a zone left out is no day of it', () => {
    const days = lastDays(Date.parse('2012-01-01T12:00:00Z'), 4, 'Pacific/Apia')
    assert.deepEqual(
      days.map(({ sinceMs, untilMs }) => (untilMs - sinceMs) / HOUR_MS),
      [24, 24, 24],
    )
  })

  test('knows zones by their names, and nothing else', () => {
    for (const name of ['UTC', 'Europe/Berlin', 'Asia/Calcutta']) assert(isTimeZone(name), name)
    for (const name of ['', '+01:00', 'Mars/Base', '../etc/passwd', 'Europe/', '1']) assert(!isTimeZone(name), name)
  })
})
