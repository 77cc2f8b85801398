// What the console's pages of captured mail are given.
import type { Static } from 'typebox'
import { Type } from '../../lib/schema-types.ts'
import { Closed, DateTime, Nullable, Uuid } from '../../lib/schemas.ts'
import { Address, MessageDetail } from '../../messages/schemas.ts'

const head = {
  id: Uuid,
  capturedAt: DateTime,
  /** Of the header. */
  from: Nullable(Address),
  subject: Type.String(),
  /** Of the envelope. */
  recipients: Type.Array(Type.String()),
  hasAttachments: Type.Boolean(),
}

const Listed = Closed(head)
export type ListedCapture = Static<typeof Listed>

export const CaptureList = Closed({ items: Type.Array(Listed), nextCursor: Nullable(Uuid) })

export const ShownCapture = Closed({
  ...head,
  /** Of the header. */
  to: Type.Array(Address),
  cc: Type.Array(Address),
  /** Of the envelope: where a failure is returned to. Empty: nowhere. */
  sender: Type.String(),
  sizeBytes: Type.Integer(),
  /** Whose submission it was; null when it is no message of the API's, as a notice. */
  messageId: Nullable(Uuid),
  content: Closed({
    headers: MessageDetail.properties.headers,
    text: Nullable(Type.String()),
    html: Nullable(Type.String()),
    isCut: Type.Boolean(),
    attachments: Type.Array(
      Closed({
        id: Type.String(),
        filename: Type.String(),
        mediaType: Type.String(),
        sizeBytes: Type.Integer(),
        contentId: Nullable(Type.String()),
      }),
    ),
  }),
})
export type ShownCapture = Static<typeof ShownCapture>
