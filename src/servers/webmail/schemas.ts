// What the webmail's pages are given.
import type { Static } from 'typebox'
import { Type } from '../../lib/schema-types.ts'
import { Closed, Nullable, OneOf, Uuid } from '../../lib/schemas.ts'
import { FOLDERS } from '../../messages/schemas.ts'

export const FolderName = OneOf(FOLDERS)
export type FolderName = Static<typeof FolderName>

const InFolder = Closed({ messages: Type.Integer(), unread: Type.Integer() })

export const Mailboxes = Closed({
  items: Type.Array(
    Closed({
      id: Uuid,
      address: Type.String(),
      name: Type.String(),
      access: OneOf(['read', 'write']),
      folders: Closed({ inbox: InFolder, sent: InFolder, archive: InFolder, spam: InFolder, trash: InFolder }),
      /** Those that could not be sent are among them. */
      drafts: Closed({ total: Type.Integer(), failed: Type.Integer() }),
    }),
  ),
})
export type Mailboxes = Static<typeof Mailboxes>

/** `address`: null while there is none. */
export const RecoveryAddress = Closed({
  address: Nullable(Type.String()),
  isConfirmed: Type.Boolean(),
  /** Whether it can be set. */
  mailsLinks: Type.Boolean(),
})
export type RecoveryAddress = Static<typeof RecoveryAddress>
