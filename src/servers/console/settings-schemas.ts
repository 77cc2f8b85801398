// What the page of settings is given, and what it sends.
import type { Static } from 'typebox'
import { Type } from '../../lib/schema-types.ts'
import { Closed, DateTime, Nullable, OneOf, Uuid } from '../../lib/schemas.ts'

const Environment = OneOf(['production', 'sandbox'])
/** Of null: none. */
const Limit = Nullable(Type.Integer())

/** What is used of something, of which there may be so much. */
const Share = Closed({ used: Type.Integer(), limit: Limit })

export const Settings = Closed({
  tenant: Closed({ id: Uuid, name: Type.String() }),
  /** Whether people see what messages say. */
  peopleSeeContent: Type.Boolean(),
  plan: Closed({
    name: Type.String(),
    messages: Closed({ used: Type.Integer(), limit: Limit, resetsAt: DateTime }),
    storedBytes: Share,
    applications: Share,
    /** Of today, by UTC. */
    requestsPerDay: Share,
    /** With each key. */
    requestsPerMinute: Limit,
  }),
  /** For how many days it is kept; null: for ever. */
  keptDays: Closed({
    messages: Limit,
    trash: Type.Unsafe<number>({ type: 'number' }),
    deliveries: Type.Integer(),
    requests: Type.Integer(),
    bounces: Type.Integer(),
    keyUse: Type.Integer(),
    counts: Type.Integer(),
    audit: Type.Integer(),
  }),
})
export type Settings = Static<typeof Settings>

/** One for each day. */
const Daily = Type.Array(Type.Integer())

export const Usage = Closed({
  /** By days of UTC: `2026-11-23`, the oldest first, today last. */
  requests: Closed({
    days: Type.Array(Type.String()),
    /** Those with the most requests. */
    keys: Type.Array(
      Closed({
        id: Uuid,
        name: Nullable(Type.String()),
        /** What it begins with. */
        prefix: Type.String(),
        app: Closed({ id: Uuid, name: Type.String(), environment: Environment }),
        requests: Daily,
      }),
    ),
    /** With all other keys. */
    others: Daily,
  }),
  /** By days of the time zone that was asked for. */
  messages: Closed({
    days: Type.Array(Closed({ since: DateTime, until: DateTime })),
    /** Those that sent something. */
    apps: Type.Array(Closed({ id: Uuid, name: Type.String(), environment: Environment, sent: Daily })),
    /** Of production, by none of these. */
    others: Daily,
    /** False while there are some that are not counted yet. */
    isCurrent: Type.Boolean(),
  }),
  /** Of the environment, the mailboxes that have most; a message that several have counts in each. */
  stored: Type.Array(Closed({ id: Uuid, address: Type.String(), bytes: Type.Integer() })),
})
export type Usage = Static<typeof Usage>

export const RenameTenant = Closed({ name: Type.String() })

export const SeeContent = Closed({ people: Type.Boolean() })
