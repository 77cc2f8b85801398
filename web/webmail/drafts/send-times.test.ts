import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { faultOfTime, LATEST_MS, presetsAt, SOONEST_MS, timeInWords } from './send-times.ts'

describe('when a message may be sent later', () => {
  const zone = process.env.TZ
  beforeEach(() => {
    process.env.TZ = 'Europe/Berlin'
  })
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  })

  const at = (local: string): number => new Date(local).getTime()
  const offered = (now: string) => presetsAt(at(now)).map(({ words, at }) => `${words}: ${at.toISOString()}`)

  test('the hours that most people choose are offered, by the clock on the wall', () => {
    assert.deepEqual(offered('2026-06-10T09:30'), [
      'This afternoon: 2026-06-10T11:00:00.000Z',
      'Tomorrow morning: 2026-06-11T06:00:00.000Z',
      'Tomorrow afternoon: 2026-06-11T11:00:00.000Z',
      'Monday morning: 2026-06-15T06:00:00.000Z',
    ])
  })

  test('eight in the morning stays so in the nights in which clocks change', () => {
    assert.equal(offered('2026-03-28T20:00')[0], 'Tomorrow morning: 2026-03-29T06:00:00.000Z')
    assert.equal(offered('2026-10-24T20:00')[0], 'Tomorrow morning: 2026-10-25T07:00:00.000Z')
  })

  test('on a Sunday, Monday is tomorrow; on a Monday, it is the next', () => {
    assert.deepEqual(
      offered('2026-06-14T20:00').map((each) => each.split(':')[0]),
      ['Tomorrow morning', 'Tomorrow afternoon'],
    )
    assert.equal(offered('2026-06-15T20:00').at(-1), 'Monday morning: 2026-06-22T06:00:00.000Z')
  })

  test('any time within a year may be chosen, none that is past', () => {
    const now = at('2026-06-10T09:30')
    assert.equal(faultOfTime(now + SOONEST_MS, now), undefined)
    assert.equal(faultOfTime(now + LATEST_MS, now), undefined)
    assert.equal(faultOfTime(now + SOONEST_MS - 1, now), 'Choose a time that is still to come.')
    assert.equal(faultOfTime(now + LATEST_MS + 1, now), 'Choose a time within a year.')
    assert.equal(faultOfTime(Number.NaN, now), 'Choose a day and a time.')
  })
})

test('it is said as one would say it', () => {
  const words = (local: string) => timeInWords(new Date(local).toISOString(), new Date('2026-06-10T09:30').getTime())
  assert.equal(words('2026-06-10T14:05'), 'today at 14:05')
  assert.equal(words('2026-06-11T08:00'), 'tomorrow at 08:00')
  assert.equal(words('2026-06-15T08:00'), 'on Monday, June 15, at 08:00')
  assert.equal(words('2027-03-02T08:00'), 'on March 2, 2027, at 08:00')
})
