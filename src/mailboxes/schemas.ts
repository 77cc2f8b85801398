// The shapes of mailboxes and domains.
import Type, { type Static } from 'typebox'
import { Closed, OneOf, Uuid } from '../lib/schemas.ts'

export const Mailbox = Closed({
  id: Uuid,
  address: Type.String({ format: 'email' }),
  displayName: Type.String(),
})
export type Mailbox = Static<typeof Mailbox>

export const DOMAIN_HEALTHS = ['pending', 'healthy', 'degraded', 'failing'] as const

export const Domain = Closed({
  id: Uuid,
  domain: Type.String(),
  verified: Type.Boolean(),
  health: OneOf(DOMAIN_HEALTHS),
  mailboxCount: Type.Integer({ minimum: 0 }),
})
export type Domain = Static<typeof Domain>

export const MailboxList = Closed({ items: Type.Array(Mailbox) })
export const DomainList = Closed({ items: Type.Array(Domain) })
