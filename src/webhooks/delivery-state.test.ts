import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Outcome, ReceivedAnswer } from '../lib/public-fetch/exchange.ts'
import {
  ATTEMPT_ERRORS,
  type Attempt,
  attemptFrom,
  type Backoff,
  type Delivery,
  endpointWaitSeconds,
  MAX_RECEPTIONS,
  receive,
  type Settlement,
  settle,
  type Timing,
} from './delivery-state.ts'

const BACKOFF: Backoff = [30, 60, 120, 240]
const MOST_ATTEMPTS = BACKOFF.length + 1
const FAILED: Attempt = { kind: 'failed', error: 'http_status' }

function pending(attempts: number, receptions = attempts + 1): Delivery {
  return { status: 'pending', attempts, receptions }
}

const OUTCOMES: readonly [Outcome, Attempt][] = [
  ...[200, 201, 202, 204, 299].map((status): [Outcome, Attempt] => [response(status), { kind: 'accepted' }]),
  ...[300, 400, 401, 404, 410, 429, 500, 503, 599, 999].map((status): [Outcome, Attempt] => [
    response(status),
    { kind: 'failed', error: 'http_status' },
  ]),
  [
    { ...response(302), kind: 'redirect', detail: '' },
    { kind: 'failed', error: 'redirect' },
  ],
  ...(['timeout', 'unsafe_address', 'dns', 'tls', 'network'] as const).map((kind): [Outcome, Attempt] => [
    { kind, detail: '', durationMs: 1 },
    { kind: 'failed', error: kind },
  ]),
]
for (const [outcome, expected] of OUTCOMES) {
  const name = 'status' in outcome ? `${outcome.kind} ${outcome.status}` : outcome.kind
  test(`an attempt that ends in ${name} has ${expected.kind === 'accepted' ? 'been accepted' : 'failed'}`, () => {
    assert.deepEqual(attemptFrom(outcome), expected)
  })
}

const SETTLEMENTS: readonly [name: string, Delivery, Attempt, random: number, Settlement][] = [
  ['a first attempt accepted', pending(0), { kind: 'accepted' }, 0.5, { status: 'delivered' }],
  ['a fifth attempt accepted', pending(4), { kind: 'accepted' }, 0.5, { status: 'delivered' }],
  ['the first failure, shortest wait', pending(0), FAILED, 0, wait(30)],
  ['the first failure, middle wait', pending(0), FAILED, 0.5, wait(45)],
  ['the first failure, longest wait', pending(0), FAILED, 1, wait(60)],
  ['the second failure', pending(1), FAILED, 0, wait(60)],
  ['the third failure', pending(2), FAILED, 0, wait(120)],
  ['the fourth failure, shortest wait', pending(3), FAILED, 0, wait(240)],
  ['the fourth failure, longest wait', pending(3), FAILED, 1, wait(480)],
  ['the fifth failure', pending(4), FAILED, 0, { status: 'dead', lastError: 'http_status' }],
  ['a fourth failure at the fourth reception', pending(3, 4), FAILED, 0, wait(240)],
  [
    'a second failure at the fifth reception',
    pending(1, 5),
    FAILED,
    0,
    { status: 'dead', lastError: 'receptions_exhausted' },
  ],
  [
    'a fourth failure at the fifth reception',
    pending(3, 5),
    FAILED,
    0,
    { status: 'dead', lastError: 'receptions_exhausted' },
  ],
  ['success at the fifth reception', pending(1, 5), { kind: 'accepted' }, 0, { status: 'delivered' }],
]
for (const [name, delivery, attempt, random, expected] of SETTLEMENTS) {
  test(`settling ${name} gives ${expected.status}`, () => {
    assert.deepEqual(settle(delivery, attempt, BACKOFF, random), expected)
  })
}

test('a fifth failed attempt makes the delivery dead with the error of that attempt, whichever it is', () => {
  for (const error of ATTEMPT_ERRORS) {
    assert.deepEqual(settle(pending(4), { kind: 'failed', error }, BACKOFF, 0.5), { status: 'dead', lastError: error })
  }
})

const ENABLED = { enabled: true, waiting: false }
const WAITING = { enabled: true, waiting: true }
const DISABLED = { enabled: false, waiting: false }

test('each wait lies between its lower bound and twice that, and failure ends within the budget', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          error: fc.constantFrom(...ATTEMPT_ERRORS),
          random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
          lost: fc.nat(2),
        }),
        { minLength: 5 },
      ),
      (failures) => {
        let delivery = pending(0, 0)
        for (const { error, random, lost } of failures) {
          // Receptions may be lost to crashed workers before one ends in an attempt.
          delivery = { ...delivery, receptions: delivery.receptions + lost + 1 }
          const reception = receive(delivery, 'due', ENABLED)
          if (reception.kind === 'dead') {
            assert.ok(delivery.receptions > MAX_RECEPTIONS)
            return
          }
          assert.equal(reception.kind, 'attempt')
          const settlement = settle(delivery, { kind: 'failed', error }, BACKOFF, random)
          if (settlement.status === 'dead') {
            const attempts = delivery.attempts + 1
            assert.ok(attempts === MOST_ATTEMPTS || delivery.receptions === MAX_RECEPTIONS)
            assert.equal(settlement.lastError, attempts === MOST_ATTEMPTS ? error : 'receptions_exhausted')
            return
          }
          assert.ok(settlement.status === 'pending')
          const lowerBound = BACKOFF[delivery.attempts] as number
          // Twice the bound itself is reached by rounding, when chance comes within a hair of 1.
          assert.ok(settlement.dueInSeconds >= lowerBound && settlement.dueInSeconds <= 2 * lowerBound)
          delivery = { ...delivery, attempts: delivery.attempts + 1 }
        }
        assert.fail('more than five failures were retried')
      },
    ),
  )
})

const RECEPTIONS: readonly [name: string, Delivery, Timing, endpoint: Parameters<typeof receive>[2], string][] = [
  ['a pending delivery that is due', pending(0), 'due', ENABLED, 'attempt'],
  ['its fifth reception', pending(2, 5), 'due', ENABLED, 'attempt'],
  ['its sixth reception', pending(2, 6), 'due', ENABLED, 'dead receptions_exhausted'],
  ['a duplicate record whose wait is not over', pending(1), 'duplicate', ENABLED, 'ignore'],
  [
    'a duplicate record of a delivered delivery',
    { status: 'delivered', attempts: 1, receptions: 2 },
    'due',
    ENABLED,
    'ignore',
  ],
  ['a duplicate record of a dead delivery', { status: 'dead', attempts: 5, receptions: 6 }, 'due', DISABLED, 'ignore'],
  ['the only record of a delivery whose wait is not over', pending(1), 'early', ENABLED, 'wait'],
  ['it at what would be the sixth reception', pending(2, 6), 'early', ENABLED, 'wait'],
  ['it when the endpoint is disabled', pending(1), 'early', DISABLED, 'dead endpoint_disabled'],
  [
    'an early record of a delivered delivery',
    { status: 'delivered', attempts: 1, receptions: 2 },
    'early',
    ENABLED,
    'ignore',
  ],
  ['a delivery of a disabled endpoint', pending(0), 'due', DISABLED, 'dead endpoint_disabled'],
  ['a delivery of an endpoint that waits', pending(0), 'due', WAITING, 'wait'],
  ['it at what would be the sixth reception', pending(2, 6), 'due', WAITING, 'wait'],
  ['a duplicate record of it', pending(1), 'duplicate', WAITING, 'ignore'],
  [
    'a delivery of an endpoint that waited and is disabled',
    pending(0),
    'due',
    { enabled: false, waiting: true },
    'dead endpoint_disabled',
  ],
]
for (const [name, delivery, timing, endpoint, expected] of RECEPTIONS) {
  test(`receiving ${name} means ${expected}`, () => {
    const reception = receive(delivery, timing, endpoint)
    assert.equal(reception.kind === 'dead' ? `dead ${reception.lastError}` : reception.kind, expected)
  })
}

test('an endpoint waits as its failures in a row say, and from the fourth on as long as after the fourth', () => {
  const bounds = [1, 2, 3, 4, 5, 9].map((failures) => endpointWaitSeconds(failures, BACKOFF, 0))
  assert.deepEqual(bounds, [30, 60, 120, 240, 240, 240])
  assert.equal(endpointWaitSeconds(1, BACKOFF, 0.5), 45)
  const most = endpointWaitSeconds(10, BACKOFF, 1 - Number.EPSILON)
  assert.ok(most > 479 && most <= 480)
})

function response(status: number): ReceivedAnswer & { kind: 'response' } {
  return { kind: 'response', status, headers: {}, body: new Uint8Array(), isCut: false, durationMs: 1 }
}

function wait(dueInSeconds: number): Settlement {
  return { status: 'pending', lastError: 'http_status', dueInSeconds }
}
