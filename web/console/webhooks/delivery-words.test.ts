import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ListedDelivery } from '../../../src/servers/console/webhook-schemas.ts'
import type { AttemptError, DeliveryError } from '../../../src/webhooks/delivery-state.ts'
import { adviceFor, explainError, lastAnswerOf, standingOf, whenDue } from './delivery-words.ts'

const ATTEMPT_ERRORS: AttemptError[] = ['timeout', 'unsafe_address', 'dns', 'redirect', 'tls', 'network', 'http_status']
const ERRORS: DeliveryError[] = [...ATTEMPT_ERRORS, 'endpoint_disabled', 'receptions_exhausted']
const NOW = Date.parse('2026-01-01T12:00:00Z')

function delivery(given: Partial<ListedDelivery>): ListedDelivery {
  const nulls = { lastAttemptAt: null, lastStatusCode: null, lastError: null, lastDurationMs: null }
  const ids = { id: '1', object: 'webhook_delivery', endpointId: '2', eventId: '3', eventType: 'message.sent' } as const
  const times = { nextAttemptAt: null, deliveredAt: null, deadAt: null, createdAt: '2026-01-01T11:00:00Z' }
  return { ...nulls, ...ids, ...times, status: 'pending', cycle: 1, attemptCount: 0, receptions: 0, ...given }
}

test('a delivery says where it stands', () => {
  const failed = { attemptCount: 2, lastStatusCode: 500, lastError: 'http_status' } as const
  const said: [Partial<ListedDelivery>, string][] = [
    [{}, 'It is about to be posted.'],
    [{ cycle: 2 }, 'It is being replayed.'],
    [{ nextAttemptAt: '2026-01-01T12:01:00Z' }, 'It waits until its endpoint is tried again.'],
    [{ ...failed, nextAttemptAt: '2026-01-01T12:01:00Z' }, 'Attempt 2 of 5 failed.'],
    [{ ...failed, nextAttemptAt: '2026-01-01T12:00:00Z' }, 'Attempt 2 of 5 failed.'],
    [{ status: 'delivered', attemptCount: 1, lastStatusCode: 204 }, 'The receiver accepted it with 204.'],
    [{ status: 'delivered', attemptCount: 3, lastStatusCode: 200 }, 'The receiver accepted it with 200, at attempt 3.'],
    [{ ...failed, status: 'dead', attemptCount: 5 }, 'It was given up after 5 attempts.'],
    [{ ...failed, status: 'dead', attemptCount: 1 }, 'It was given up after 1 attempt.'],
    [{ status: 'dead', lastError: 'endpoint_disabled' }, 'It was given up because its endpoint was disabled.'],
    [
      { status: 'dead', lastError: 'receptions_exhausted' },
      'It was given up because it broke off on our side too often.',
    ],
  ]
  for (const [given, words] of said) assert.equal(standingOf(delivery(given), NOW), words)
})

test('what has not arrived comes with something to do about it', () => {
  const failed = { lastStatusCode: 404, lastError: 'http_status' } as const
  assert.equal(adviceFor(delivery({}), true), undefined)
  assert.equal(adviceFor(delivery({ status: 'delivered', lastStatusCode: 200, lastError: 'timeout' }), true), undefined)
  assert.match(adviceFor(delivery(failed), true) ?? '', /^Answered 404\. Check the path/)
  const disabled = delivery({ status: 'dead', lastStatusCode: 500, lastError: 'endpoint_disabled' })
  assert.match(adviceFor(disabled, false) ?? '', /have the endpoint enabled/)
  assert.doesNotMatch(adviceFor(disabled, true) ?? '', /enabled/)
})

test('what is nearer than 45 seconds comes in a moment', () => {
  const when = (nextAttemptAt: string | null) => whenDue({ nextAttemptAt }, NOW)
  assert.deepEqual(
    [null, '2026-01-01T12:00:00Z', '2026-01-01T12:00:00.001Z', '2026-01-01T12:00:44.999Z', '2026-01-01T12:00:45Z'].map(
      when,
    ),
    ['due', 'due', 'soon', 'soon', 'later'],
  )
})

test('what came back last is a status, or why there is none', () => {
  assert.equal(lastAnswerOf(delivery({})), undefined)
  assert.equal(lastAnswerOf(delivery({ lastStatusCode: 503, lastError: 'http_status' })), 'Answered 503')
  assert.equal(lastAnswerOf(delivery({ lastError: 'timeout' })), 'No answer in time')
  // It was given up for another reason than what the receiver had answered.
  assert.equal(lastAnswerOf(delivery({ lastStatusCode: 500, lastError: 'endpoint_disabled' })), 'Answered 500')
  assert.equal(lastAnswerOf(delivery({ lastError: 'endpoint_disabled' })), 'The endpoint was disabled')
})

test('whatever failed is explained, with something to do about it', () => {
  for (const error of ERRORS) {
    for (const status of [null, 199, 302, 400, 404, 418, 499, 500, 599]) {
      const { what, toDo } = explainError(error, status)
      assert.match(what, /^[A-Z].*[^.]$/)
      assert.match(toDo, /^[A-Z].*\.$/)
    }
  }
  assert.equal(explainError('http_status', 500).what, 'Answered 500')
  assert.match(explainError('http_status', 599).toDo, /its? ?log|receiver itself/)
  assert.doesNotMatch(explainError('http_status', 499).toDo, /itself failed/)
})
