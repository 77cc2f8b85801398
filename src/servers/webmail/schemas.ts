// What the webmail's pages are given.
import type { Static } from 'typebox'
import { Type } from '../../lib/schema-types.ts'
import { Closed, DateTime, Nullable, OneOf, Uuid } from '../../lib/schemas.ts'
import { FOLDERS } from '../../messages/schemas.ts'

export const FolderName = OneOf(FOLDERS)
export type FolderName = Static<typeof FolderName>

export const Mailboxes = Closed({
  items: Type.Array(
    Closed({
      id: Uuid,
      address: Type.String(),
      access: OneOf(['read', 'write']),
      /** Of unread messages, as far as they are counted. */
      unread: Closed({
        inbox: Type.Integer(),
        sent: Type.Integer(),
        archive: Type.Integer(),
        spam: Type.Integer(),
        trash: Type.Integer(),
      }),
    }),
  ),
})
export type Mailboxes = Static<typeof Mailboxes>

const Person = Closed({ address: Type.String(), name: Nullable(Type.String()) })

export const FolderPage = Closed({
  items: Type.Array(
    Closed({
      id: Uuid,
      from: Nullable(Person),
      to: Type.Array(Person),
      subject: Type.String(),
      preview: Type.String(),
      at: DateTime,
      isRead: Type.Boolean(),
    }),
  ),
  nextCursor: Nullable(Type.String()),
})
export type FolderPage = Static<typeof FolderPage>

/** `address`: null while there is none. */
export const RecoveryAddress = Closed({
  address: Nullable(Type.String()),
  isConfirmed: Type.Boolean(),
  /** Whether it can be set. */
  mailsLinks: Type.Boolean(),
})
export type RecoveryAddress = Static<typeof RecoveryAddress>
