import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type StoredRecipient, shownRecipients, withAttempt, withOutcomes } from './recipients.ts'

const [CREATED, FIRST, SECOND, THIRD] = ['00', '01', '02', '03'].map((hour) => `2026-01-01T${hour}:00:00.000000Z`) as [
  string,
  string,
  string,
  string,
]
const HOUR_MS = 3_600_000
const accepted: StoredRecipient[] = [
  { address: 'a@example.test', kind: 'to', status: 'queued' },
  { address: 'b@example.test', kind: 'cc', status: 'queued' },
]
const said = (position: number, smtpCode: number, diagnostic: string) => ({
  position,
  smtpCode,
  enhancedCode: '4.0.0',
  diagnostic,
})
const shown = (recipients: StoredRecipient[]) =>
  shownRecipients(recipients, CREATED).map(({ status, smtpCode, diagnostic, attempts, nextAttemptAt, updatedAt }) => [
    status,
    smtpCode,
    diagnostic,
    attempts,
    nextAttemptAt,
    updatedAt,
  ])

test('a recipient of whom nothing is known has had no attempt and waits for no moment', () => {
  assert.deepEqual(shown(accepted), [
    ['queued', null, null, 0, null, CREATED],
    ['queued', null, null, 0, null, CREATED],
  ])
})

test('one that is put off shows the last reply, its attempts and when the next is due; the others show nothing', () => {
  const once = withAttempt(
    accepted,
    { positions: [0], deferrals: [said(0, 451, 'busy')], nextAttemptInMs: HOUR_MS },
    FIRST,
  )
  const twice = withAttempt(
    once,
    { positions: [0], deferrals: [said(0, 452, 'full')], nextAttemptInMs: HOUR_MS },
    SECOND,
  )
  assert.deepEqual(shown(twice), [
    ['queued', 452, 'full', 2, THIRD, SECOND],
    ['queued', null, null, 0, null, CREATED],
  ])
})

test('an outcome ends the wait, whether an attempt brought it or something else', () => {
  const waits = withAttempt(
    accepted,
    { positions: [0, 1], deferrals: [said(0, 451, 'busy'), said(1, 451, 'busy')], nextAttemptInMs: HOUR_MS },
    FIRST,
  )
  const outcome = { status: 'sent' as const, smtpCode: 250, enhancedCode: '2.0.0', diagnostic: 'taken' }
  const moved = withOutcomes(
    waits,
    [
      { position: 0, ...outcome },
      { position: 1, ...outcome },
    ],
    SECOND,
  )
  const tried = withAttempt(moved, { positions: [0], deferrals: [], nextAttemptInMs: HOUR_MS }, SECOND)
  assert.deepEqual(shown(tried), [
    ['sent', 250, 'taken', 2, null, SECOND],
    ['sent', 250, 'taken', 1, null, SECOND],
  ])
})

test('one that a report has moved meanwhile is not put back to waiting', () => {
  const reported = {
    position: 0,
    status: 'delivered' as const,
    smtpCode: 250,
    enhancedCode: '2.0.0',
    diagnostic: 'there',
  }
  const delivered = withOutcomes(accepted, [reported], FIRST)
  const late = { positions: [0], deferrals: [said(0, 451, 'perhaps')], nextAttemptInMs: HOUR_MS }
  assert.deepEqual(shown(withAttempt(delivered, late, SECOND))[0], ['delivered', 250, 'there', 1, null, FIRST])
})
