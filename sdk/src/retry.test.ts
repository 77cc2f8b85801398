import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError, ConnectionError } from './errors.ts'
import { persistently, retryWaitMs } from './retry.ts'

const answer = (status: number, code = 'x', retryAfterSeconds?: number) =>
  new ApiError(status, { code }, { retryAfterSeconds })

test('what was refused at the gate is tried again, after the wait that was asked for and some jitter', () => {
  assert.equal(retryWaitMs(answer(429, 'rate_limited', 7), 1, false, 0), 7_000)
  assert.equal(retryWaitMs(answer(429, 'rate_limited', 7), 1, false, 0.5), 7_250)
  assert.equal(retryWaitMs(answer(409, 'idempotency_pending', 1), 1, true, 0), 1_000)
})

test('a fault of the service or of the line is tried again only where twice does no harm', () => {
  for (const error of [answer(500), answer(502), answer(503), answer(504), new ConnectionError('x')]) {
    assert.equal(retryWaitMs(error, 1, false, 0), undefined)
    assert.equal(retryWaitMs(error, 1, true, 0), 250)
    assert.equal(retryWaitMs(error, 3, true, 0.998), 1_998)
    assert.equal(retryWaitMs(error, 50, true, 0), 15_000)
  }
})

test('what the client did wrong stays wrong', () => {
  for (const [status, code] of [
    [400, 'validation_error'],
    [401, 'invalid_api_key'],
    [402, 'plan_capacity_exceeded'],
    [404, 'not_found'],
    [409, 'idempotency_conflict'],
    [410, 'upload_expired'],
    [422, 'upload_mismatch'],
  ] as const) {
    assert.equal(retryWaitMs(answer(status, code, 1), 1, true, 0), undefined)
  }
  assert.equal(retryWaitMs(new TypeError('x'), 1, true, 0), undefined)
})

test('it is tried as often as was said, and a signal ends the wait with its reason', async () => {
  let made = 0
  const fail = () => {
    made++
    return Promise.reject(answer(503, 'x', 0))
  }
  await assert.rejects(persistently(fail, { attempts: 3, repeatable: true }), ApiError)
  assert.equal(made, 3)
  const reason = new Error('enough')
  const controller = new AbortController()
  const waiting = persistently(() => Promise.reject(answer(503, 'x', 3_600)), {
    attempts: 2,
    repeatable: true,
    signal: controller.signal,
  })
  controller.abort(reason)
  await assert.rejects(waiting, reason)
})
