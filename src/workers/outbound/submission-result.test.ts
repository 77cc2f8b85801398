import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Job } from '../../lib/queue/job.ts'
import { newId } from '../../lib/uuid.ts'
import type { LoadedMessage } from '../../messages/load-messages.ts'
import { outcomesOf } from './submission-outcome.ts'
import { attempted, failed, waiting } from './submission-result.ts'

const retries = { backoff: { firstMs: 1_000, mostMs: 60_000 }, giveUpMs: 3_600_000, random: () => 0 }
const message = {
  tenantId: newId(),
  id: newId(),
  ageMs: 0,
  open: [0, 1].map((position) => ({ position, address: `r${position}@example.test`, status: 'queued' })),
} as unknown as LoadedMessage
const job = (attempt?: number) => ({ payload: attempt === undefined ? null : { attempt } }) as unknown as Job
const reply = (code: number, text: string) => ({ code, enhancedCode: null, text })
const BUSY = { permanent: false, reply: reply(451, 'busy') }
const after = (attempt: number, dueInMs: number) => ({
  ...{ kind: 'putBack', dueInMs, keepReceptions: false },
  payload: { attempt },
})

const submission = (refusals: [number, typeof BUSY][], tried = message.open, attempt?: number) => {
  const accepted = { kind: 'accepted', reply: reply(250, 'taken'), refusals: new Map(refusals) } as const
  const results = outcomesOf(accepted, tried, false)
  return attempted(job(attempt), message, { tried, results, result: 'accepted', reply: accepted.reply }, retries)
}

test('a message that is taken for all is done, after one more attempt of each', () => {
  const { how, outcome, report } = submission([])
  assert.deepEqual(how, { kind: 'done' })
  assert.deepEqual(outcome?.attempt, { positions: [0, 1], deferrals: [], nextAttemptInMs: 0 })
  assert.deepEqual([report?.attempt, report?.sent, report?.deferred, report?.failed], [1, 2, 0, 0])
  assert.equal(report?.nextAttemptInMs, undefined)
})

test('one that is put off for anyone comes again after the wait of its attempt', () => {
  const { how, outcome, report } = submission([[1, BUSY]], message.open, 2)
  assert.deepEqual(how, after(3, 4_000))
  assert.deepEqual(outcome?.attempt?.positions, [0, 1])
  assert.deepEqual(outcome?.attempt?.deferrals, [
    { position: 1, smtpCode: 451, enhancedCode: null, diagnostic: 'busy' },
  ])
  assert.equal(outcome?.attempt?.nextAttemptInMs, 4_000)
  assert.deepEqual([report?.attempt, report?.sent, report?.deferred, report?.nextAttemptInMs], [3, 1, 1, 4_000])
})

test('a try is kept with what was said of whom, but for a first one that went through for everybody', () => {
  assert.equal(submission([]).submissionTry, undefined)
  const kept = submission([[1, BUSY]]).submissionTry
  assert.deepEqual([kept?.messageId, kept?.result, kept?.nextAttemptInMs], [message.id, 'accepted', 1_000])
  assert.deepEqual(
    kept?.answers.map(({ positions, outcome, text }) => [positions, outcome, text]),
    [
      [[0], 'sent', 'taken'],
      [[1], 'deferred', 'busy'],
    ],
  )
  const second = submission([], message.open, 1).submissionTry
  assert.deepEqual([second?.answers.length, second?.nextAttemptInMs], [1, null])
  // One whose remaining recipients come at once follows a first one that was not kept.
  assert.equal(submission([], message.open.slice(0, 1)).submissionTry, undefined)
  assert.equal(submission([], message.open.slice(1), 0).submissionTry?.answers[0]?.outcome, 'sent')
})

test('one with recipients beyond this transaction comes again at once, and that is no attempt more', () => {
  const { how, outcome } = submission([], message.open.slice(0, 1), 2)
  assert.deepEqual(how, after(2, 0))
  assert.deepEqual(outcome?.attempt?.positions, [0])
})

test('one that could not be tried as the relay was away may go on when that is back, after the first wait at the soonest', () => {
  const away = { kind: 'unavailable', reply: { code: null, enhancedCode: null, text: 'connection refused' } } as const
  const results = outcomesOf({ ...away, noConnection: true }, message.open, false)
  const attempt = { tried: message.open, results, result: away.kind, reply: away.reply, unreached: true }
  const { how, report, submissionTry } = attempted(job(5), message, attempt, retries)
  assert.deepEqual(how, { ...after(6, 32_000), resumableInMs: 1_000 })
  assert.deepEqual([report?.reason, report?.nextAttemptInMs], ['connection refused', 32_000])
  assert.deepEqual([submissionTry?.result, submissionTry?.nextAttemptInMs], ['unreached', 32_000])
})

test('what an operator may bring back keeps all waiting with its cause, until the give-up time', () => {
  const cause = { why: 'the object store is not available', reason: 'object_store_unavailable' }
  const { how, outcome, report } = waiting(job(), message, cause, retries)
  assert.deepEqual(how, after(1, 1_000))
  assert.deepEqual(
    outcome?.attempt?.deferrals.map(({ diagnostic }) => diagnostic),
    [cause.why, cause.why],
  )
  assert.deepEqual([report?.result, report?.deferred], [cause.reason, 2])
  const { result, answers } = waiting(job(), message, cause, retries).submissionTry ?? {}
  assert.deepEqual([result, answers?.map(({ text }) => text)], [cause.reason, [cause.why]])
  const late = waiting(job(7), { ...message, ageMs: retries.giveUpMs }, cause, retries)
  assert.deepEqual(late.how, { kind: 'done' })
  assert.deepEqual(
    late.outcome?.recipients.map(({ status, diagnostic }) => [status, diagnostic]),
    [0, 1].map(() => ['failed', `gave up: ${cause.why}`]),
  )
  assert.deepEqual([late.report?.attempt, late.report?.failed], [8, 2])
})

test('what never gets to the relay fails without an attempt of its recipients', () => {
  const cause = { why: 'it cannot be built', reason: 'unbuildable', deadLetter: true }
  const { how, outcome, report } = failed(job(), message, cause)
  assert.deepEqual(how, { kind: 'deadLetter', reason: 'unbuildable' })
  assert.equal(outcome?.attempt, undefined)
  assert.deepEqual([report?.result, report?.failed, report?.smtpCode], ['unbuildable', 2, undefined])
})
