// What the page of a message is given, and the page of settings.
import type { Static } from 'typebox'
import { Type } from '../../lib/schema-types.ts'
import { atLeastOneOf, Closed, DateTime, Nullable, OneOf, Uuid } from '../../lib/schemas.ts'
import { BADGE_KINDS } from '../../mail/authenticate/sender-badge.ts'
import { THEMES } from '../../mailboxes/own-settings.ts'
import { Address, FOLDERS, MessageDetail } from '../../messages/schemas.ts'
import { MESSAGE_STATUSES, RECIPIENT_STATUSES } from '../../messages/status.ts'

const PREVIEWS = ['image', 'pdf', 'text'] as const

const OpenAttachment = Closed({
  id: Uuid,
  filename: Type.String(),
  mediaType: Type.String(),
  sizeBytes: Type.Integer(),
  contentId: Nullable(Type.String()),
  /** The HTML shows it where it belongs. */
  isInline: Type.Boolean(),
  /** What it may be looked at as; null: it is to be downloaded. */
  preview: Nullable(OneOf(PREVIEWS)),
})

export const OpenMessage = Closed({
  id: Uuid,
  direction: OneOf(['inbound', 'outbound']),
  from: Nullable(Address),
  to: Type.Array(Address),
  cc: Type.Array(Address),
  /** Of what was sent alone. */
  bcc: Type.Array(Address),
  replyTo: Type.Array(Address),
  subject: Type.String(),
  at: DateTime,
  status: OneOf(MESSAGE_STATUSES),
  headers: MessageDetail.properties.headers,
  text: Nullable(Type.String()),
  html: Nullable(Type.String()),
  /** More was written than is shown. */
  isCut: Type.Boolean(),
  attachments: Type.Array(OpenAttachment),
  /** Where the frame finds the images within the message, by what `cid:` stands for. */
  inline: Type.Record(Type.String(), Type.String()),
  /** What is known of the sender; null of what was sent. */
  badge: Nullable(Closed({ kind: OneOf(BADGE_KINDS), words: Type.String(), details: Type.Array(Type.String()) })),
  /** Those that somebody else has. */
  images: Closed({ mayShow: Type.Boolean(), always: Type.Boolean(), why: Nullable(Type.String()) }),
  /** What became of what was sent; `reply`: what was said of each recipient last. */
  recipients: Type.Array(
    Closed({
      address: Type.String(),
      kind: OneOf(['to', 'cc', 'bcc']),
      status: OneOf(RECIPIENT_STATUSES),
      reply: Closed({
        smtpCode: Nullable(Type.Integer()),
        enhancedCode: Nullable(Type.String()),
        text: Nullable(Type.String()),
      }),
      nextAttemptAt: Nullable(DateTime),
      complainedAt: Nullable(DateTime),
    }),
  ),
  /** In the mailboxes of the user alone. */
  entries: Type.Array(
    Closed({ mailboxId: Uuid, folder: OneOf(FOLDERS), isRead: Type.Boolean(), isStarred: Type.Boolean() }),
  ),
})
export type OpenMessage = Static<typeof OpenMessage>

export const OpenSource = Closed({ source: Type.String(), isCut: Type.Boolean() })
export type OpenSource = Static<typeof OpenSource>

/** Of a file. */
export interface ShownText {
  text: string
  /** More is in the file. */
  isCut: boolean
}

export const WantedImages = Closed({
  urls: Type.Array(Type.String({ maxLength: 2_048 }), { minItems: 1, maxItems: 200 }),
})
/** Those that may be fetched, each by its URL. */
export const ShownImages = Closed({ images: Type.Record(Type.String(), Type.String()) })
export type ShownImages = Static<typeof ShownImages>

const settings = { shortcuts: Type.Boolean(), theme: OneOf(THEMES), notifications: Type.Boolean() }
export const OwnSettingsAnswer = Closed({ ...settings, imageSenders: Type.Array(Type.String()) })
export type OwnSettingsAnswer = Static<typeof OwnSettingsAnswer>
export const SettingsChange = Closed(
  {
    shortcuts: Type.Optional(settings.shortcuts),
    theme: Type.Optional(settings.theme),
    notifications: Type.Optional(settings.notifications),
  },
  atLeastOneOf('shortcuts', 'theme', 'notifications'),
)
export type SettingsChange = Static<typeof SettingsChange>

const address = Type.String({ format: 'email', maxLength: 254 })
export const ImageSender = Closed({ address })
