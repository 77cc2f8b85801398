import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readComplaint } from './feedback.ts'

const read = (...lines: string[]) => readComplaint(new TextEncoder().encode(lines.join('\r\n')))

test('a complaint says who complained, as far as the reporter says it', () => {
  assert.deepEqual(read('Feedback-Type: abuse', 'User-Agent: x/1', 'Version: 1'), { envelopeId: null, recipients: [] })
  assert.deepEqual(
    read(
      'feedback-type: Fraud',
      'Version: 1',
      'Original-Envelope-Id: 0190-abc',
      'Original-Rcpt-To: <one@far.test>',
      'Original-Rcpt-To: rfc822; two@far.test',
      'Original-Rcpt-To: redacted',
    ),
    { envelopeId: '0190-abc', recipients: ['one@far.test', 'two@far.test'] },
  )
})

test('praise, failed signatures and reports without a type are no complaints', () => {
  for (const type of ['not-spam', 'auth-failure', 'abuser', 'dmarc', ''])
    assert.equal(read(`Feedback-Type: ${type}`), null)
  assert.equal(read('Version: 1'), null)
  assert.equal(read(), null)
})

test('as many complain as a message can have recipients', () => {
  const lines = Array.from({ length: 151 }, (_, i) => `Original-Rcpt-To: r${i}@far.test`)
  assert.equal(read('Feedback-Type: abuse', ...lines)?.recipients.length, 150)
})
