// The ids and resources that the examples of the contract show, each the same wherever it appears.

export const MAILBOX = '0199f0a0-0000-7000-8000-000000000001'
export const MESSAGE = '0199f0a0-0000-7000-8000-0000000000a1'
export const ATTACHMENT = '0199f0a0-0000-7000-8000-0000000000b1'
export const ENDPOINT = '0199f0a0-0000-7000-8000-0000000000c1'
export const DELIVERY = '0199f0a0-0000-7000-8000-0000000000d1'
export const EVENT = '0199f0a0-0000-7000-8000-0000000000e1'
export const REQUEST = '0199f0a0-0000-7000-8000-000000000009'
const APP = '0199f0a0-0000-7000-8000-0000000000f1'
export const AT = '2026-01-05T10:00:00.000000Z'
export const SHA256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'

export const summary = {
  id: MESSAGE,
  object: 'message',
  direction: 'outbound',
  status: 'delivered',
  from: { address: 'sales@example.com', name: 'Sales' },
  to: [{ address: 'you@example.net', name: null }],
  cc: [],
  subject: 'Your order',
  preview: 'Thank you for your order.',
  hasAttachments: false,
  attachmentCount: 0,
  sizeBytes: 1423,
  messageId: `<${MESSAGE}@example.com>`,
  inReplyTo: null,
  mailboxes: [{ mailboxId: MAILBOX, folder: 'sent', isRead: true, isStarred: false }],
  sentAt: AT,
  receivedAt: null,
  createdAt: AT,
}

export const attachment = {
  id: ATTACHMENT,
  mailboxId: MAILBOX,
  messageId: null,
  filename: 'invoice.pdf',
  mediaType: 'application/pdf',
  sizeBytes: 48213,
  sha256: SHA256,
  disposition: 'attachment',
  contentId: null,
  createdAt: AT,
}

export const endpoint = {
  id: ENDPOINT,
  appId: APP,
  url: 'https://example.com/hooks/mail',
  description: 'Production',
  eventTypes: ['*'],
  enabled: true,
  consecutiveFailures: 0,
  disabledAt: null,
  createdAt: AT,
}
export const secret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='

export const event = {
  id: EVENT,
  type: 'message.delivered',
  resourceType: 'message',
  resourceId: MESSAGE,
  data: {
    object: 'message',
    id: MESSAGE,
    mailboxId: MAILBOX,
    direction: 'outbound',
    messageId: `<${MESSAGE}@example.com>`,
    subject: 'Your order',
    from: { address: 'sales@example.com', name: 'Sales' },
    to: [{ address: 'you@example.net', name: null }],
    status: 'delivered',
    recipient: 'you@example.net',
    smtpCode: 250,
    enhancedCode: '2.0.0',
    diagnostic: null,
  },
  occurredAt: AT,
}

export const pendingDelivery = {
  id: DELIVERY,
  object: 'webhook_delivery',
  eventId: EVENT,
  endpointId: ENDPOINT,
  status: 'pending',
  cycle: 2,
}

export const webhookReplay = {
  id: '0199f0a0-0000-7000-8000-0000000000c2',
  object: 'webhook_replay',
  appId: APP,
  endpointId: ENDPOINT,
  since: AT,
  until: AT,
  status: 'running',
  stoppedBecause: null,
  replayed: 500,
  remaining: 1_204,
  askedBy: 'application',
  createdAt: AT,
  endedAt: null,
}

export const failedAttempt = {
  cycle: 1,
  number: 1,
  at: AT,
  outcome: 'failed',
  statusCode: 503,
  error: 'http_status',
  durationMs: 31,
  answer: '{"message":"The orders are being moved."}',
}

export const delivery = {
  ...pendingDelivery,
  eventType: 'message.delivered',
  status: 'delivered',
  cycle: 1,
  attemptCount: 1,
  receptions: 1,
  nextAttemptAt: null,
  lastAttemptAt: AT,
  lastStatusCode: 200,
  lastError: null,
  lastDurationMs: 31,
  deliveredAt: AT,
  deadAt: null,
  createdAt: AT,
}
