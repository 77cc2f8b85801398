// Reads an event of a message for its timeline. The service's own say what the contract says; one that was triggered in a
// sandbox may hold anything. Pure.
import { BOUNCE_TYPES } from '../bounce-type.ts'
import type { TimelineItem } from './schemas.ts'
import type { KnownEvent } from './timeline-of.ts'

type Data = Record<string, unknown>

/** Undefined for one that says nothing beyond what the message itself does. */
export function itemOfEvent({ type, at, data }: KnownEvent): TimelineItem | undefined {
  switch (type) {
    case 'message.received':
      return { kind: 'received', at, mailboxIds: texts(data.mailboxIds) }
    case 'message.sent':
      return { kind: 'sent', at, relayResponse: text(data.relayResponse) }
    case 'message.delivered':
      return { kind: 'delivered', at, ...outcome(data), bounceType: null }
    case 'message.bounced':
      return { kind: 'bounced', at, ...outcome(data), bounceType: bounceType(data.bounce) }
    case 'message.failed':
      return { kind: 'failed', at, ...outcome(data), bounceType: null }
    case 'message.updated':
      return { kind: 'updated', at, mailboxId: text(data.mailboxId), ...changes(data.changes) }
    case 'message.deleted':
      return { kind: 'deleted', at, mailboxIds: texts(data.mailboxIds), reason: text(data.reason) }
    default:
      return undefined
  }
}

function outcome({ recipient, smtpCode, enhancedCode, diagnostic }: Data) {
  return {
    recipient: text(recipient) ?? '',
    smtpCode: Number.isSafeInteger(smtpCode) ? (smtpCode as number) : null,
    enhancedCode: text(enhancedCode),
    text: text(diagnostic),
  }
}

function bounceType(bounce: unknown) {
  const type = membersOf(bounce).type
  return BOUNCE_TYPES.find((known) => known === type) ?? null
}

function changes(given: unknown) {
  const { isRead, isStarred, folder } = membersOf(given)
  return { isRead: flag(isRead), isStarred: flag(isStarred), folder: text(folder) }
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)
const flag = (value: unknown): boolean | null => (typeof value === 'boolean' ? value : null)
const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
const membersOf = (value: unknown): Data => (typeof value === 'object' && value !== null ? (value as Data) : {})
