// Finds out what came back to a return path: a delivery report, a complaint, an automatic reply, or something unknown.
// Pure. What cannot be read without guessing is unknown.
import type { ParsedMessage } from '../parse/parsed-message.ts'
import { DELIVERY_STATUS_TYPES, type DeliveryReport, readDeliveryStatus } from './delivery-report.ts'
import { type Complaint, FEEDBACK_TYPE, readComplaint } from './feedback.ts'
import { isFromMailSystem } from './mail-system.ts'
import { readTextBounce } from './text-bounce.ts'

export type ReturnedMail =
  | { kind: 'delivery_report'; report: DeliveryReport }
  /** RFC 5965: a complaint, or null when it is something else that comes in the same form. */
  | { kind: 'feedback'; complaint: Complaint | null }
  /** RFC 3834, and read receipts (RFC 8098): they say nothing of delivery. */
  | { kind: 'auto_reply' }
  | { kind: 'unknown' }

/** What is looked at of a message. */
export type ReturnedMessage = Pick<ParsedMessage, 'headers' | 'from' | 'subject' | 'text' | 'html' | 'attachments'>

/**
 * Delivery reports before replies: Postfix marks its own as automatic. A part of fields that names nobody may stand beside
 * a text that does.
 */
export function readReturnedMail(message: ReturnedMessage): ReturnedMail {
  const feedback = partOf(message, [FEEDBACK_TYPE])
  if (feedback) return { kind: 'feedback', complaint: readComplaint(feedback) }
  const status = partOf(message, DELIVERY_STATUS_TYPES)
  const report = (status && readDeliveryStatus(status)) ?? readTextBounce(message)
  if (report) return { kind: 'delivery_report', report }
  return isAutoReply(message) ? { kind: 'auto_reply' } : { kind: 'unknown' }
}

function partOf(message: ReturnedMessage, types: string[]): Uint8Array | null {
  return message.attachments.find(({ mediaType }) => types.includes(mediaType))?.content ?? null
}

const READ_RECEIPTS = ['message/disposition-notification', 'message/global-disposition-notification']

/** What a mail system sends may be a bounce that we cannot read, and must not pass for a reply. */
function isAutoReply(message: ReturnedMessage): boolean {
  if (partOf(message, READ_RECEIPTS)) return true
  if (isFromMailSystem(message)) return false
  const field = (name: string) => message.headers.find((header) => header.name.toLowerCase() === name)?.value.trim()
  const submitted = field('auto-submitted')?.split(';')[0]?.trim().toLowerCase() ?? ''
  return (
    !['', 'no'].includes(submitted) ||
    ['bulk', 'junk', 'auto_reply'].includes(field('precedence')?.toLowerCase() ?? '') ||
    OLDER_SIGNS.some((name) => field(name) !== undefined) ||
    /^(automatic reply|auto-?reply|out of (the )?office)\b/i.test(message.subject)
  )
}

/** Fields that answering programs set before RFC 3834, and some still do. */
const OLDER_SIGNS = ['x-autoreply', 'x-autorespond', 'x-autoresponder', 'x-auto-reply-from']
