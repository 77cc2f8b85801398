// What the pages of domains are given, and what they send.
import type { Static } from 'typebox'
import { Type } from '../../lib/schema-types.ts'
import { Closed, DateTime, Nullable, OneOf, Uuid } from '../../lib/schemas.ts'
import { CHECK_FAULTS, CHECK_STATUSES } from '../../mailboxes/judge-records.ts'
import { DOMAIN_HEALTHS } from '../../mailboxes/schemas.ts'

const Purpose = OneOf(['verification', 'dkim', 'spf', 'mx', 'dmarc'])

const domain = {
  id: Uuid,
  domain: Type.String(),
  verified: Type.Boolean(),
  /** The operator answers for it: it needs no verification record. */
  vouched: Type.Boolean(),
  health: OneOf(DOMAIN_HEALTHS),
  mailboxCount: Type.Integer(),
  checkedAt: Nullable(DateTime),
  /** Null for one that is left out of the checks that come round. */
  nextCheckAt: Nullable(DateTime),
  createdAt: DateTime,
}

const DomainOfList = Closed({
  ...domain,
  /** Which of its records were not found as they should be. */
  atFault: Type.Array(Purpose),
})
export type DomainOfList = Static<typeof DomainOfList>

/** All of them, by name. */
export const Domains = Closed({ items: Type.Array(DomainOfList) })
export type Domains = Static<typeof Domains>

const Check = Closed({
  status: OneOf(CHECK_STATUSES),
  /** Records of the kind. */
  found: Type.Array(Type.String()),
  expected: Type.String(),
  fault: Nullable(OneOf(CHECK_FAULTS)),
  /** Other records of the type at the name. */
  others: Type.Array(Type.String()),
  /** Where the name leads. */
  alias: Nullable(Type.String()),
})
export type RecordCheck = Static<typeof Check>

const DnsRecord = Closed({
  purpose: Purpose,
  type: OneOf(['TXT', 'MX']),
  name: Type.String(),
  value: Type.String(),
  /** As a zone file writes it. */
  zoneLine: Type.String(),
  /** Null before the first check. */
  check: Nullable(Check),
})
export type ShownRecord = Static<typeof DnsRecord>

export const ShownDomain = Closed({ ...domain, records: Type.Array(DnsRecord) })
export type ShownDomain = Static<typeof ShownDomain>

export const NamedDomain = Closed({ domain: Type.String({ minLength: 1, maxLength: 1_000 }) })

export const MadeDomain = Closed({ id: Uuid })
export type MadeDomain = Static<typeof MadeDomain>
