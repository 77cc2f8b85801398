// What the data of the events of mailboxes and domains holds, which is what the contract shows.
// specification.md#data-of-an-event
import Type, { type Static } from 'typebox'
import { Closed, OneOf } from '../lib/schemas.ts'
import { CHECK_STATUSES, DOMAIN_CHECKS } from './domain-checks.ts'
import { DOMAIN_HEALTHS } from './schemas.ts'

const mailbox = {
  address: Type.String(),
  displayName: Type.String(),
  status: OneOf(['active', 'suspended']),
}

const check = Closed({
  status: OneOf(CHECK_STATUSES),
  found: Type.Array(Type.String()),
  expected: Type.String(),
})

const health = {
  domain: Type.String(),
  previous: OneOf(DOMAIN_HEALTHS),
  health: OneOf(DOMAIN_HEALTHS),
  checks: Closed(
    Object.fromEntries(DOMAIN_CHECKS.map((name) => [name, check])) as Record<
      (typeof DOMAIN_CHECKS)[number],
      typeof check
    >,
  ),
}

/** By type: the members of `data` beside object and id. */
export const MAILBOX_EVENT_DATA = {
  'mailbox.created': mailbox,
  'mailbox.updated': mailbox,
  'mailbox.suspended': mailbox,
  'domain.health_changed': health,
}

export type MailboxEventData = Static<Type.TObject<typeof mailbox>>
export type HealthEventData = Static<Type.TObject<typeof health>>
