import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entryOf } from './timeline-words.ts'

const at = '2026-03-01T10:00:00.000Z'

test('a try says what the relay made of it, what that means, and when the next one is', () => {
  const deferred = { outcome: 'deferred', smtpCode: 452, enhancedCode: '4.2.2', text: 'full' } as const
  const entry = entryOf({
    ...{ kind: 'try', at, firstAt: '2026-03-01T09:00:00.000Z', times: 3, result: 'unavailable' },
    ...{ nextAttemptAt: '2026-03-01T11:00:00.000Z', answers: [{ recipients: ['a@b.test'], ...deferred }] },
  })
  assert.deepEqual(entry, {
    ...{ at, since: '2026-03-01T09:00:00.000Z', nextAt: '2026-03-01T11:00:00.000Z', tone: 'warn' },
    what: 'Tried 3 times: the relay deferred it',
    said: [{ recipients: ['a@b.test'], outcome: 'Deferred', meaning: 'Mailbox is full', words: '452 4.2.2 full' }],
  })
})

test('an outcome has the words of whoever decided it', () => {
  const reply = { smtpCode: 550, enhancedCode: '5.1.1', text: 'no such user' }
  const entry = entryOf({ kind: 'bounced', at, recipient: 'a@b.test', bounceType: 'permanent', ...reply })
  assert.equal(entry.what, 'Bounced (permanent)')
  assert.deepEqual(entry.said, [
    { recipients: ['a@b.test'], meaning: 'Mailbox does not exist', words: '550 5.1.1 no such user' },
  ])
})
