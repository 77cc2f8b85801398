import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Attempt, retryWaitMs } from './retry.ts'

const answer = (status: number, code = 'x', retryAfter: string | null = null): Attempt => ({
  kind: 'answer',
  status,
  code,
  retryAfter,
})

test('what was refused at the gate is tried again, after the wait that was asked for and some jitter', () => {
  assert.equal(retryWaitMs(answer(429, 'rate_limited', '7'), 1, false, 0), 7_000)
  assert.equal(retryWaitMs(answer(429, 'rate_limited', '7'), 1, false, 0.5), 7_250)
  assert.equal(retryWaitMs(answer(409, 'idempotency_pending', '1'), 1, true, 0), 1_000)
})

test('a fault of the service or of the line is tried again only where twice does no harm', () => {
  for (const attempt of [answer(500), answer(502), answer(503), answer(504), { kind: 'no_answer' } as const]) {
    assert.equal(retryWaitMs(attempt, 1, false, 0), undefined)
    assert.equal(retryWaitMs(attempt, 1, true, 0), 250)
    assert.equal(retryWaitMs(attempt, 3, true, 0.998), 1_998)
    assert.equal(retryWaitMs(attempt, 50, true, 0), 15_000)
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
    assert.equal(retryWaitMs(answer(status, code, '1'), 1, true, 0), undefined)
  }
})
