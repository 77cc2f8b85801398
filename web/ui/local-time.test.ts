import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromLocal, toLocal } from './local-time.ts'

test('an instant comes back from a field as it was, to the minute', () => {
  for (const instant of ['2026-01-31T23:59:00.000Z', '2026-07-01T00:00:00.000Z', '0999-12-31T12:00:00.000Z']) {
    assert.equal(fromLocal(toLocal(instant)), instant)
  }
  assert.match(toLocal('2026-02-03T04:05:06.789Z'), /^2026-02-0[2-4]T\d\d:\d\d$/)
})

test('what is no instant is nothing', () => {
  for (const given of ['', 'yesterday', '2026-13-01T00:00']) {
    assert.equal(toLocal(given), '')
    assert.equal(fromLocal(given), '')
  }
})
