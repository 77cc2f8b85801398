// What an event of each type says, with values of an invented message, mailbox and domain: the data of events that are
// triggered by hand, and the contract's examples. Pure. specification.md#data-of-an-event
import type { Uuid } from '../lib/uuid.ts'
import type { EventType } from './types.ts'

/** The data of an example, without object, id and demo. `mailboxId`: of the invented mailbox. */
export function exampleData(type: EventType, mailboxId: Uuid): Record<string, unknown> {
  return EXAMPLES[type](mailboxId)
}

const MAILBOX = { address: 'hello@example.com', displayName: 'Hello' }

const message = (mailboxId: string, direction: 'inbound' | 'outbound', status: string) => ({
  mailboxId,
  direction,
  messageId: `<${mailboxId}@example.com>`,
  subject: 'An example',
  from: { address: direction === 'inbound' ? 'someone@example.net' : MAILBOX.address, name: null },
  to: [{ address: direction === 'inbound' ? MAILBOX.address : 'someone@example.net', name: null }],
  status,
})

const report = (smtpCode: number, enhancedCode: string, diagnostic: string) => ({
  recipient: 'someone@example.net',
  smtpCode,
  enhancedCode,
  diagnostic,
})

const EXAMPLES: Record<EventType, (mailboxId: string) => Record<string, unknown>> = {
  'message.received': (id) => ({ ...message(id, 'inbound', 'received'), mailboxIds: [id] }),
  'message.queued': (id) => message(id, 'outbound', 'queued'),
  'message.sent': (id) => ({ ...message(id, 'outbound', 'sent'), relayResponse: '250 2.0.0 Ok' }),
  'message.delivered': (id) => ({ ...message(id, 'outbound', 'delivered'), ...report(250, '2.0.0', '250 2.0.0 Ok') }),
  'message.bounced': (id) => ({
    ...message(id, 'outbound', 'bounced'),
    ...report(550, '5.1.1', '550 5.1.1 No such user'),
    bounce: { type: 'permanent' },
  }),
  'message.failed': (id) => ({
    ...message(id, 'outbound', 'failed'),
    ...report(554, '5.7.1', '554 5.7.1 Refused by the relay'),
  }),
  'message.updated': (id) => ({ ...message(id, 'inbound', 'received'), changes: { isRead: true } }),
  'message.deleted': (id) => ({ ...message(id, 'inbound', 'received'), mailboxIds: [id], reason: 'deleted' }),
  'mailbox.created': () => ({ ...MAILBOX, status: 'active' }),
  'mailbox.updated': () => ({ ...MAILBOX, displayName: 'Hello again', status: 'active' }),
  'mailbox.suspended': () => ({ ...MAILBOX, status: 'suspended' }),
  'domain.health_changed': () => ({
    domain: 'example.com',
    previous: 'healthy',
    health: 'degraded',
    checks: {
      mx: { status: 'pass', found: ['10 mail.example.com'], expected: 'an MX record' },
      spf: { status: 'pass', found: ['v=spf1 mx ~all'], expected: 'an SPF record' },
      dkim: { status: 'pass', found: ['v=DKIM1; k=rsa; p=…'], expected: 'v=DKIM1; k=rsa; p=…' },
      dmarc: { status: 'missing', found: [], expected: 'a DMARC record' },
      verification: { status: 'pass', found: ['mdk-verify=…'], expected: 'mdk-verify=…' },
    },
  }),
}
