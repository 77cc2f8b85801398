import assert from 'node:assert/strict'
import { test } from 'node:test'
import { suggestName } from './suggest-name.ts'

const SEND = ['fromMailboxId', 'to', 'cc', 'bcc', 'subject', 'text', 'html', 'attachmentIds']
const CHANGE = ['mailboxId', 'isRead', 'isStarred', 'folder']
const UPLOAD = ['mailboxId', 'filename', 'mediaType', 'sizeBytes', 'sha256']
const MESSAGES = ['limit', 'cursor', 'mailboxId', 'folder', 'direction', 'status', 'recipient', 'since', 'until']
const EVENTS = ['limit', 'cursor', 'type', 'resourceId']

for (const [given, known, meant] of [
  // The same, spelled otherwise.
  ['is_read', CHANGE, 'isRead'],
  ['IsRead', CHANGE, 'isRead'],
  ['attachment_ids', SEND, 'attachmentIds'],
  ['sha-256', UPLOAD, 'sha256'],
  ['TO', SEND, 'to'],
  // What others call it.
  ['from', SEND, 'fromMailboxId'],
  ['reply_to', SEND, 'fromMailboxId'],
  ['attachments', SEND, 'attachmentIds'],
  ['toRecipients', SEND, 'to'],
  ['body', SEND, 'text'],
  ['starred', CHANGE, 'isStarred'],
  ['content-type', UPLOAD, 'mediaType'],
  ['to', MESSAGES, 'recipient'],
  ['from', MESSAGES, 'since'],
  ['before', MESSAGES, 'until'],
  ['page', MESSAGES, 'cursor'],
  ['since', EVENTS, 'cursor'],
  ['eventType', EVENTS, 'type'],
  ['messageId', EVENTS, 'resourceId'],
  // A slip or two.
  ['subjet', SEND, 'subject'],
  ['subejct', SEND, 'subject'],
  ['txet', SEND, 'text'],
  ['hmtl', SEND, 'html'],
  ['fodler', CHANGE, 'folder'],
  ['frommailboxIds', SEND, 'fromMailboxId'],
  // Nothing like any of them.
  ['tenantId', SEND, undefined],
  ['xo', SEND, undefined],
  ['nexus', SEND, undefined],
  ['', SEND, undefined],
  ['__proto__', SEND, undefined],
  ['from', UPLOAD, undefined],
  ['s'.repeat(41), SEND, undefined],
] as const) {
  test(`${given || 'nothing'} is ${meant === undefined ? 'like none of them' : `taken for ${meant}`}`, () => {
    assert.equal(suggestName(given, known)?.name, meant)
  })
}

test('what has another meaning here is said with it', () => {
  assert.match(suggestName('from', SEND)?.remark ?? '', /id of a mailbox/)
  assert.match(suggestName('reply_to', SEND)?.remark ?? '', /Replies go to/)
  assert.match(suggestName('from', MESSAGES)?.remark ?? '', /takes an instant/)
  assert.equal(suggestName('is_read', CHANGE)?.remark, undefined)
})
