// What the webmail's pages say and are told of drafts. specification.md#drafts
import type { Static } from 'typebox'
import { Type } from '../../lib/schema-types.ts'
import { Closed, DateTime, Nullable, OneOf, Uuid } from '../../lib/schemas.ts'

// specification.md#limits-of-a-draft
const MOST_ADDRESS_CHARACTERS = 320
const MOST_NAME_CHARACTERS = 256
const MOST_ADDRESSES_PER_FIELD = 50
const MOST_SUBJECT_CHARACTERS = 998
const MOST_BODY_CHARACTERS = 2_000_000
const MOST_ATTRIBUTION_CHARACTERS = 1_000
const MOST_ATTACHMENTS = 20
const MOST_ON_A_PAGE = 100

type TextOf = (maxLength: number) => ReturnType<typeof Type.String>
/** What is asked for; what is answered was held to it when it was saved. */
const within: TextOf = (maxLength) => Type.String({ format: 'text', maxLength })
const kept: TextOf = () => Type.String()

/** As it was typed: it is checked when the draft is sent. */
const draftAddress = (text: TextOf) =>
  Closed({ address: text(MOST_ADDRESS_CHARACTERS), name: Nullable(text(MOST_NAME_CHARACTERS)) })
export type DraftAddress = Static<ReturnType<typeof draftAddress>>

function contentOf(text: TextOf) {
  const addresses = Type.Array(draftAddress(text), { maxItems: MOST_ADDRESSES_PER_FIELD })
  const quote = Closed({ html: text(MOST_BODY_CHARACTERS), attribution: text(MOST_ATTRIBUTION_CHARACTERS) })
  return {
    mailboxId: Uuid,
    kind: OneOf(['new', 'reply', 'reply_all', 'forward']),
    /** The message that is answered or forwarded. */
    answers: Nullable(Uuid),
    to: addresses,
    cc: addresses,
    bcc: addresses,
    subject: text(MOST_SUBJECT_CHARACTERS),
    format: OneOf(['html', 'text']),
    body: text(MOST_BODY_CHARACTERS),
    /** What is quoted, cleaned; it is put behind the body when the draft is sent. */
    quote: Nullable(quote),
    attachmentIds: Type.Array(Uuid, { maxItems: MOST_ATTACHMENTS }),
  }
}

const content = contentOf(kept)
const DraftContent = Closed(content)
export type DraftContent = Static<typeof DraftContent>

/** `baseVersion`: of what it is a change; 0 of nothing yet. */
export const SaveDraft = Closed({ baseVersion: Type.Integer({ minimum: 0 }), ...contentOf(within) })
export type SaveDraft = Static<typeof SaveDraft>

export const DraftAttachment = Closed({
  id: Uuid,
  filename: Type.String(),
  mediaType: Type.String(),
  sizeBytes: Type.Integer(),
})
export type DraftAttachment = Static<typeof DraftAttachment>

/** `isScheduled`: the user chose the time. */
const DraftDue = Closed({ at: DateTime, isScheduled: Type.Boolean() })
/** Why it was not sent when it was due. */
const DraftFailure = Closed({ code: Type.String(), message: Type.String() })

export const Draft = Closed({
  id: Uuid,
  /** The id that the message will have. */
  messageId: Uuid,
  version: Type.Integer(),
  ...content,
  attachments: Type.Array(DraftAttachment),
  due: Nullable(DraftDue),
  failure: Nullable(DraftFailure),
  savedAt: DateTime,
  /** The login of whoever saved it. */
  savedBy: Type.String(),
  createdAt: DateTime,
})
export type Draft = Static<typeof Draft>

const DraftRow = Closed({
  id: Uuid,
  mailboxId: Uuid,
  to: Type.Array(draftAddress(kept)),
  subject: Type.String(),
  preview: Type.String(),
  attachmentCount: Type.Integer(),
  due: Nullable(DraftDue),
  failure: Nullable(DraftFailure),
  savedAt: DateTime,
})
export type DraftRow = Static<typeof DraftRow>

export const DraftsQuery = Closed({
  mailbox: Type.Optional(Uuid),
  cursor: Type.Optional(Type.String()),
  limit: Type.Integer({ minimum: 1, maximum: MOST_ON_A_PAGE, default: 50 }),
})
/** Those that were saved last come first. */
export const DraftPage = Closed({ items: Type.Array(DraftRow), nextCursor: Nullable(Type.String()) })
export type DraftPage = Static<typeof DraftPage>

/** `sendAt`: absent, it is sent in ten seconds. */
export const SendDraft = Closed({ version: Type.Integer({ minimum: 1 }), sendAt: Type.Optional(DateTime) })
export type SendDraft = Static<typeof SendDraft>

export const DueDraft = Closed({ due: DraftDue, messageId: Uuid })
export type DueDraft = Static<typeof DueDraft>
