import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Reply } from '../../mail/smtp/relay-reply.ts'
import type { Refusal } from '../../mail/smtp/smtp-transaction.ts'
import { deferAll, failAll, isUnreached, outcomesOf, relayResponseOf, type Tried } from './submission-outcome.ts'

const recipients = [3, 4, 5].map((position) => ({
  position,
  address: `r${position}@example.test`,
  status: 'queued' as const,
}))
const reply = (code: number, text: string): Reply => ({ code, enhancedCode: `${String(code)[0]}.0.0`, text })
const refusal = (code: number, text: string): Refusal => ({ permanent: code >= 500, reply: reply(code, text) })
const ok = reply(250, 'queued as 1')

const ACCEPTED: Tried = {
  kind: 'accepted',
  reply: ok,
  refusals: new Map([
    [1, refusal(550, 'no such user')],
    [2, refusal(452, 'too many')],
  ]),
}
const REFUSED: Tried = {
  kind: 'refused',
  permanent: false,
  reply: reply(451, 'not now'),
  refusals: new Map([
    [0, refusal(450, 'busy')],
    [1, refusal(550, 'no such user')],
    [2, refusal(452, 'too many')],
  ]),
}
const UNAVAILABLE: Tried = {
  kind: 'unavailable',
  reply: { code: null, enhancedCode: null, text: 'connection refused' },
  noConnection: true,
}
const BUSY: Tried = { kind: 'unavailable', reply: reply(421, 'too busy') }
const UNKNOWN: Tried = { kind: 'unknown', reason: 'the connection was lost' }

/** Position, status, code and words of each. */
function results(submission: Tried, isLast: boolean): string[] {
  const { outcomes, deferrals } = outcomesOf(submission, recipients, isLast)
  const all = [...outcomes, ...deferrals.map((deferral) => ({ ...deferral, status: 'deferred' }))]
  return all.map(({ position, status, smtpCode, diagnostic }) => [position, status, smtpCode, diagnostic].join(' '))
}

for (const [what, submission, isLast, expected] of [
  [
    'taken for some',
    ACCEPTED,
    false,
    ['3 sent 250 queued as 1', '4 failed 550 no such user', '5 deferred 452 too many'],
  ],
  [
    'taken for some at the last attempt',
    ACCEPTED,
    true,
    ['3 sent 250 queued as 1', '4 failed 550 no such user', '5 failed 452 gave up: too many'],
  ],
  ['refused for all', REFUSED, false, ['4 failed 550 no such user', '3 deferred 450 busy', '5 deferred 452 too many']],
  [
    'refused for all at the last attempt',
    REFUSED,
    true,
    ['4 failed 550 no such user', '3 failed 450 gave up: busy', '5 failed 452 gave up: too many'],
  ],
  ['not submitted', UNAVAILABLE, false, [3, 4, 5].map((position) => `${position} deferred  connection refused`)],
  ['kept waiting by a busy relay', BUSY, false, [3, 4, 5].map((position) => `${position} deferred 421 too busy`)],
  [
    'not submitted at the last attempt',
    UNAVAILABLE,
    true,
    [3, 4, 5].map((position) => `${position} failed  gave up: connection refused`),
  ],
  ['perhaps submitted', UNKNOWN, false, [3, 4, 5].map((position) => `${position} deferred  the connection was lost`)],
  [
    'perhaps submitted at the last attempt',
    UNKNOWN,
    true,
    [3, 4, 5].map((position) => `${position} failed  gave up: the connection was lost`),
  ],
] as const) {
  test(`a message that is ${what} has these results`, () => assert.deepEqual(results(submission, isLast), expected))
}

test('what the relay answered is kept when it took the message', () => {
  assert.equal(relayResponseOf(ACCEPTED), '250 2.0.0 queued as 1')
  assert.equal(relayResponseOf({ ...ACCEPTED, reply: { code: 250, enhancedCode: null, text: '' } }), '250')
  for (const submission of [REFUSED, UNAVAILABLE, UNKNOWN]) assert.equal(relayResponseOf(submission), undefined)
})

test('only a relay that cannot be reached has tried nothing of the message', () => {
  const unreached = [ACCEPTED, REFUSED, UNAVAILABLE, BUSY, UNKNOWN].filter(isUnreached)
  assert.deepEqual(unreached, [UNAVAILABLE])
})

test('all wait for a reason of ours', () => {
  const words = { smtpCode: null, enhancedCode: null, diagnostic: 'the object store is not available' }
  assert.deepEqual(
    deferAll(recipients, { code: null, enhancedCode: null, text: 'the object store is not available' }),
    [3, 4, 5].map((position) => ({ position, ...words })),
  )
})

test('all fail for a reason of ours', () => {
  const outcome = { status: 'failed', smtpCode: null, enhancedCode: null, diagnostic: 'it cannot be built' }
  assert.deepEqual(
    failAll(recipients, 'it cannot be built'),
    [3, 4, 5].map((position) => ({ position, ...outcome })),
  )
})
