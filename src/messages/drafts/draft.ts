// What a draft is, as its verbs take and give it. Pure. specification.md#drafts
import { createHash } from 'node:crypto'
import type { Timestamp } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'
import type { Address } from '../schemas.ts'

/** As it was typed: addresses are looked at when it is sent. */
export interface WrittenMail {
  mailboxId: Uuid
  kind: 'new' | 'reply' | 'reply_all' | 'forward'
  /** The message that is answered or forwarded. */
  answers: Uuid | null
  to: Address[]
  cc: Address[]
  bcc: Address[]
  subject: string
  format: 'html' | 'text'
  body: string
  /** Cleaned by whoever shows it; it is put behind the body when the draft is sent. */
  quote: { html: string; attribution: string } | null
  attachmentIds: Uuid[]
}

interface DraftAttachment {
  id: Uuid
  filename: string
  mediaType: string
  sizeBytes: number
}

/** When it becomes a message. */
export interface Due {
  at: Timestamp
  /** The user chose the time. */
  isScheduled: boolean
}

export interface DraftFailure {
  code: string
  message: string
}

export interface StoredDraft extends WrittenMail {
  id: Uuid
  /** The id that the message will have. */
  messageId: Uuid
  version: number
  attachments: DraftAttachment[]
  due: Due | null
  /** Why it was not sent when it was due. */
  failure: DraftFailure | null
  savedAt: Timestamp
  /** The login of whoever saved it. */
  savedBy: string
  createdAt: Timestamp
}

/** With its ids as the database has them. */
export function withPlainIds(content: WrittenMail): WrittenMail {
  return {
    ...content,
    mailboxId: content.mailboxId.toLowerCase(),
    answers: content.answers?.toLowerCase() ?? null,
    attachmentIds: content.attachmentIds.map((id) => id.toLowerCase()),
  }
}

/** SHA-256, by which the same save is known when it comes again. */
export function digestOfDraft(content: WrittenMail): Buffer {
  const { mailboxId, kind, answers, to, cc, bcc, subject, format, body, quote, attachmentIds } = content
  const addresses = [to, cc, bcc].map((list) => list.map(({ address, name }) => [address, name]))
  const canonical = [
    ...[mailboxId, kind, answers, addresses, subject, format, body],
    ...[quote && [quote.html, quote.attribution], attachmentIds],
  ]
  return createHash('sha256').update(JSON.stringify(canonical)).digest()
}
