import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chosenTypes, disabledBecause, eventsInWords, replayFrom, stateOf } from './endpoint-words.ts'
import { everyHour, mostOf, msInWords, slowestOf, spanOf, successOf } from './hours.ts'
import { endInWords, progressOf } from './replay-words.ts'

test('an endpoint is enabled, failing so often, or disabled', () => {
  const state = (enabled: boolean, consecutiveFailures: number) =>
    stateOf({ enabled, consecutiveFailures, failureLimit: 10 }).words
  assert.deepEqual(
    [state(true, 0), state(true, 1), state(true, 9), state(false, 10), state(false, 0)],
    ['Enabled', 'Failing 1/10', 'Failing 9/10', 'Disabled', 'Disabled'],
  )
  const because = (disabledReason: string | null) => disabledBecause({ disabledReason, failureLimit: 10 })
  assert.equal(because('consecutive failed attempts'), '10 attempts in a row failed')
  assert.equal(because('disabled in the console'), 'disabled in the console')
})

test('a form chooses all events, or those whose boxes are ticked', () => {
  assert.deepEqual(chosenTypes({ events: 'all', 'type:message.sent': 'on' }), ['*'])
  assert.deepEqual(chosenTypes({ events: 'some', url: 'x', 'type:message.sent': 'on', 'type:message.failed': 'on' }), [
    'message.sent',
    'message.failed',
  ])
  assert.throws(() => chosenTypes({ events: 'some', url: 'x' }), /Choose one type of event/)
  assert.equal(eventsInWords(['*']), 'All events')
  assert.equal(eventsInWords(['message.sent', 'message.failed']), 'message.sent, message.failed')
})

test('what died is replayed from the first failure in a row, also once the endpoint has been enabled', () => {
  const now = Date.parse('2026-01-02T00:00:00Z')
  const none = { failingSince: null, disabledAt: null, lastFailingSince: null }
  const [first, later, last] = ['2026-01-01T01:00:00Z', '2026-01-01T02:00:00Z', '2026-01-01T03:00:00Z']
  assert.equal(replayFrom({ failingSince: first, disabledAt: later, lastFailingSince: last }, now), first)
  assert.equal(replayFrom({ ...none, disabledAt: later, lastFailingSince: last }, now), later)
  assert.equal(replayFrom({ ...none, lastFailingSince: last }, now), last)
  assert.equal(replayFrom(none, now), '2026-01-01T00:00:00.000Z')
})

test('a replay says how far it is as far as that is counted', () => {
  assert.deepEqual(progressOf({ replayed: 1_500, remaining: 500 }), { words: '1,500 replayed, 500 left.', share: 75 })
  assert.deepEqual(progressOf({ replayed: 999, remaining: 1 }), { words: '999 replayed, 1 left.', share: 99 })
  assert.deepEqual(progressOf({ replayed: 0, remaining: 0 }), { words: '0 replayed, 0 left.', share: undefined })
  assert.deepEqual(progressOf({ replayed: 5, remaining: 10_000 }), {
    words: '5 replayed, 10,000 or more left.',
    share: undefined,
  })
  assert.equal(progressOf({ replayed: 0, remaining: 9_999 }).share, 0)
  assert.equal(progressOf({ replayed: 3, remaining: null }).words, '3 replayed.')
  assert.equal(endInWords({ stoppedBecause: null, replayed: 1 }), 'Replayed 1 delivery.')
  assert.equal(endInWords({ stoppedBecause: null, replayed: 0 }), 'Nothing had died since then.')
  assert.equal(endInWords({ stoppedBecause: 'asked', replayed: 2_000 }), 'Stopped: 2,000 deliveries replayed.')
})

test('only when all of what has ended was delivered is it 100 %', () => {
  assert.equal(successOf([]), undefined)
  assert.equal(successOf([{ delivered: 0, dead: 0 }]), undefined)
  assert.equal(
    successOf([
      { delivered: 1_000, dead: 1 },
      { delivered: 1_000, dead: 0 },
    ]),
    99,
  )
  assert.equal(successOf([{ delivered: 3, dead: 0 }]), 100)
  assert.equal(successOf([{ delivered: 0, dead: 3 }]), 0)
  assert.deepEqual([0, 999, 1_000, 1_249, 30_000].map(msInWords), ['0 ms', '999 ms', '1 s', '1.2 s', '30 s'])
})

test('a span has each of its hours once, the present one last, and those of which nothing is known', () => {
  const { sinceMs, starts } = spanOf(3, Date.parse('2026-03-29T02:59:59.999Z'))
  assert.equal(new Date(sinceMs).toISOString(), '2026-03-29T00:00:00.000Z')
  const at = (hour: string, delivered: number) => ({ hour, delivered, dead: 0, pending: 0, p50Ms: null, p95Ms: null })
  assert.deepEqual(
    everyHour(starts, [at('2026-03-29T01:00:00.000000Z', 7)]).map(({ hour, delivered }) => [hour, delivered]),
    [
      ['2026-03-29T00:00:00.000Z', 0],
      ['2026-03-29T01:00:00.000000Z', 7],
      ['2026-03-29T02:00:00.000Z', 0],
    ],
  )
})

test('the highest bars are those of the fullest and of the slowest hour', () => {
  const hours = [
    { delivered: 3, dead: 2, pending: 1, p95Ms: null },
    { delivered: 5, dead: 0, pending: 0, p95Ms: 40 },
  ]
  assert.deepEqual([mostOf(hours), slowestOf(hours), mostOf([]), slowestOf([])], [6, 40, 0, 0])
})
