// What the data of the events of mailboxes and domains holds, which is what the contract shows.
// specification.md#data-of-an-event
import type { Static, TObject } from 'typebox'
import { Type } from '../lib/schema-types.ts'
import { Closed, Explained, OneOf } from '../lib/schemas.ts'
import { DOMAIN_CHECKS } from './domain-checks.ts'
import { CHECK_STATUSES } from './judge-records.ts'
import { DOMAIN_HEALTHS } from './schemas.ts'

const mailbox = {
  address: Type.String({ description: 'Its email address.' }),
  displayName: Type.String({ description: 'The name that recipients see beside the address.' }),
  status: Explained(OneOf(['active', 'suspended']), 'Whether it can send and receive.'),
}

const check = Closed(
  {
    status: Explained(OneOf(CHECK_STATUSES), 'What came of the check.'),
    found: Type.Array(Type.String(), { description: 'The records that are there.' }),
    expected: Type.String({ description: 'What should be there.' }),
  },
  { description: 'A check of its DNS records.' },
)

const health = {
  domain: Type.String({ description: 'Its name.' }),
  previous: Explained(OneOf(DOMAIN_HEALTHS), 'Its health before.'),
  health: Explained(OneOf(DOMAIN_HEALTHS), 'Its health now.'),
  checks: Closed(
    Object.fromEntries(DOMAIN_CHECKS.map((name) => [name, check])) as Record<
      (typeof DOMAIN_CHECKS)[number],
      typeof check
    >,
    { description: 'What was checked, by record.' },
  ),
}

/** By type: the members of `data` beside object and id. */
export const MAILBOX_EVENT_DATA = {
  'mailbox.created': mailbox,
  'mailbox.updated': mailbox,
  'mailbox.suspended': mailbox,
  'domain.health_changed': health,
}

export type MailboxEventData = Static<TObject<typeof mailbox>>
export type HealthEventData = Static<TObject<typeof health>>
