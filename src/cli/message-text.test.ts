import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MessageDetail } from '../messages/schemas.ts'
import { messageText } from './message-text.ts'

const ID = '01a1fc13-1c8d-765b-adca-961947868a21'

const RECIPIENT = {
  address: 'a@example.test',
  kind: 'to',
  status: 'queued',
  smtpCode: null,
  enhancedCode: null,
  diagnostic: 'connection refused',
  attempts: 3,
  nextAttemptAt: '2026-01-01T00:10:00.000000Z',
  complainedAt: null,
  updatedAt: '2026-01-01T00:05:00.000000Z',
} as const

const MESSAGE: MessageDetail = {
  ...{ id: ID, object: 'message', direction: 'outbound', status: 'queued' },
  ...{ from: { address: 'hi@acme.test', name: null }, to: [{ address: 'a@example.test', name: null }], cc: [] },
  ...{ subject: 'Hello', preview: 'x', hasAttachments: false, attachmentCount: 0, sizeBytes: null, messageId: null },
  ...{ inReplyTo: null, mailboxes: [], sentAt: null, receivedAt: null, createdAt: '2026-01-01T00:00:00.000000Z' },
  ...{ replyTo: [], references: [], headers: [], attachments: [], authentication: null, mime: null },
  ...{ text: 'x', html: null, textTruncated: false, htmlTruncated: false, recipients: [RECIPIENT] },
}

test('a message shows of each recipient that waits why, how often it was tried and when it is tried again', () => {
  const [heading, row] = messageText(MESSAGE).split('\n').slice(-2)
  assert.match(heading ?? '', /^RECIPIENT +STATUS +ATTEMPTS +NEXT ATTEMPT +COMPLAINED +CHANGED +REPLY$/)
  assert.match(
    row ?? '',
    /^a@example\.test +queued +3 +2026-01-01 00:10:00Z +- +2026-01-01 00:05:00Z +connection refused$/,
  )
})

test('a message shows of a recipient when it complained', () => {
  const complained = { ...RECIPIENT, status: 'delivered' as const, complainedAt: '2026-01-02T00:00:00.000000Z' }
  assert.match(messageText({ ...MESSAGE, recipients: [complained] }), /delivered .*2026-01-02 00:00:00Z/)
})
