// What the pages of mailboxes are given, and what they send.
import type { Static } from 'typebox'
import { Type } from '../../lib/schema-types.ts'
import { Closed, DateTime, Nullable, OneOf, Uuid } from '../../lib/schemas.ts'
import { Listed } from './schemas.ts'

const MailboxStatus = OneOf(['active', 'suspended'])
const Access = OneOf(['read', 'write'])

export const ShownMailbox = Closed({
  id: Uuid,
  address: Type.String(),
  displayName: Type.String(),
  status: MailboxStatus,
  users: Type.Integer(),
  /** In its inbox, where the page is. */
  unread: Type.Integer(),
  /** Of its messages, where the page is. */
  storedBytes: Type.Integer(),
  createdAt: DateTime,
})
export type ShownMailbox = Static<typeof ShownMailbox>

/** By address. */
export const MailboxPage = Listed(ShownMailbox)

export const MailboxFilters = Closed({
  status: Type.Optional(MailboxStatus),
  /** A part of the address or of the name. */
  q: Type.Optional(Type.String({ format: 'text', maxLength: 320 })),
  cursor: Type.Optional(Type.String({ format: 'text', maxLength: 320 })),
})

export const NewMailbox = Closed({
  address: Type.String({ maxLength: 1_000 }),
  name: Type.String({ maxLength: 1_000 }),
})

export const MadeMailbox = Closed({ id: Uuid })
export type MadeMailbox = Static<typeof MadeMailbox>

export const ChangeMailboxStatus = Closed({ status: MailboxStatus })

export const ChangeMailboxName = Closed({ name: Type.String({ maxLength: 1_000 }) })

const MailboxUser = Closed({
  id: Uuid,
  login: Type.String(),
  name: Nullable(Type.String()),
  access: Access,
  /** The addresses of other mailboxes that they have. */
  others: Type.Array(Type.String()),
  status: OneOf(['invited', 'active']),
  hasRecoveryAddress: Type.Boolean(),
  lastSeenAt: Nullable(DateTime),
})
export type ShownMailboxUser = Static<typeof MailboxUser>

/** By login. */
export const MailboxUsers = Closed({ items: Type.Array(MailboxUser) })
export type MailboxUsers = Static<typeof MailboxUsers>

export const NewMailboxUser = Closed({ login: Type.String({ maxLength: 320 }), access: Access })

export const ChangeAccess = Closed({ access: Access })
