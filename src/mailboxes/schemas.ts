// The shapes of mailboxes and domains.
import type { Static } from 'typebox'
import { Type } from '../lib/schema-types.ts'
import { Closed, Explained, OneOf, Uuid } from '../lib/schemas.ts'

export const Mailbox = Closed({
  id: Explained(Uuid, 'Names the mailbox in every request and event.'),
  address: Type.String({ format: 'email', description: 'Its email address.' }),
  displayName: Type.String({ description: 'The name that recipients see beside the address.' }),
})
export type Mailbox = Static<typeof Mailbox>

export const DOMAIN_HEALTHS = ['pending', 'healthy', 'degraded', 'failing'] as const

export const Domain = Closed({
  id: Explained(Uuid, 'Names the domain.'),
  domain: Type.String({ description: 'Its name, such as `example.com`.' }),
  verified: Type.Boolean({ description: 'Whether the organization has proved that it owns the domain.' }),
  health: Explained(
    OneOf(DOMAIN_HEALTHS),
    '`pending`: never checked. `healthy`: MX, SPF, DKIM and DMARC are right. `degraded`: some of them are not. ' +
      '`failing`: the verification record is gone, or neither SPF nor DKIM holds.',
  ),
  mailboxCount: Type.Integer({ minimum: 0, description: 'How many mailboxes it has.' }),
})
export type Domain = Static<typeof Domain>

export const MailboxList = Closed({ items: Type.Array(Mailbox, { description: 'All of them, by address.' }) })
export type MailboxList = Static<typeof MailboxList>
export const DomainList = Closed({ items: Type.Array(Domain, { description: 'All of them, by name.' }) })
