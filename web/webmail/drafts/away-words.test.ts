import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queuedWords, unsavedWords } from './away-words.ts'

test('what waits says why: too much asked for, a service that is busy, or none that can be reached', () => {
  assert.equal(
    queuedWords({ kind: 'limited', retryInSeconds: 42 }),
    'Too many requests in a minute. It is sent by itself in 42 seconds.',
  )
  assert.match(queuedWords({ kind: 'limited', retryInSeconds: 1 }), /in 1 second\.$/)
  assert.match(queuedWords({ kind: 'busy', retryInSeconds: 1 }), /^The service is busy\./)
  assert.match(queuedWords({ kind: 'unreachable', retryInSeconds: 1 }), /^Offline\./)
  assert.match(unsavedWords({ kind: 'limited', retryInSeconds: 9 }), /^Too many requests/)
  assert.match(unsavedWords({ kind: 'busy', retryInSeconds: 9 }), /^The service is busy/)
  assert.match(unsavedWords({ kind: 'unreachable', retryInSeconds: 9 }), /^Offline/)
})
