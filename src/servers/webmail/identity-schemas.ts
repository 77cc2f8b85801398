// What the webmail's pages say and are told of how users sign what they send, and of whom they have written with.
import type { Static } from 'typebox'
import { Type } from '../../lib/schema-types.ts'
import { Closed, Nullable, Uuid } from '../../lib/schemas.ts'
import { Address } from '../../messages/schemas.ts'

/** Of the From field; null: the mailbox's own. */
const name = Nullable(Type.String({ format: 'text', maxLength: 200 }))
/** HTML. */
const signature = Nullable(Type.String({ format: 'text', maxLength: 20_000 }))

export const OneIdentity = Closed({
  mailboxId: Uuid,
  name: Nullable(Type.String()),
  signature: Nullable(Type.String()),
})
export type OneIdentity = Static<typeof OneIdentity>

/** Of the mailboxes that the user may send from. */
export const Identities = Closed({ items: Type.Array(OneIdentity) })
export type Identities = Static<typeof Identities>

export const IdentityChange = Closed({ name, signature })
export type IdentityChange = Static<typeof IdentityChange>

/** `mailbox`: the one that is written from. `q`: what was typed. */
export const RecipientsAsked = Closed({
  mailbox: Uuid,
  q: Type.String({ format: 'text', minLength: 1, maxLength: 320 }),
})
export type RecipientsAsked = Static<typeof RecipientsAsked>

/** The best first. */
export const FoundRecipients = Closed({ items: Type.Array(Address, { maxItems: 8 }) })
export type FoundRecipients = Static<typeof FoundRecipients>
