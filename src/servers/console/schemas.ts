// What the console's pages are given, and what they send.
import type { Static, TSchema } from 'typebox'
import { Event } from '../../events/schemas.ts'
import { EVENT_TYPES } from '../../events/types.ts'
import { Type } from '../../lib/schema-types.ts'
import { Closed, DateTime, Nullable, OneOf, Uuid } from '../../lib/schemas.ts'

const RoleName = OneOf(['owner', 'admin'])

/** Where somebody works, and may go. */
export const Surroundings = Closed({
  tenant: Closed({ id: Uuid, name: Type.String() }),
  /** Whether people of the tenant see what messages say. */
  peopleSeeContent: Type.Boolean(),
  /** All in which the person has a role, by name. */
  tenants: Type.Array(Closed({ id: Uuid, name: Type.String() })),
  /** Applications that are sandboxes, by name. */
  sandboxes: Type.Array(Closed({ id: Uuid, name: Type.String() })),
})
export type Surroundings = Static<typeof Surroundings>

const EventCounts = Closed({
  'message.queued': Type.Integer(),
  'message.sent': Type.Integer(),
  'message.delivered': Type.Integer(),
  'message.bounced': Type.Integer(),
  'message.failed': Type.Integer(),
  'message.received': Type.Integer(),
})

export const Overview = Closed({
  /** How many events of messages there were: today by the hour, or by the day. Each is what the log has from `since` to before `until`. */
  activity: Closed({
    timeZone: Type.String(),
    bars: Type.Array(Closed({ since: DateTime, until: DateTime, counts: EventCounts })),
    sums: EventCounts,
    /** False while events wait to be counted. */
    isCurrent: Type.Boolean(),
  }),
  /** Messages that wait to be submitted; `more`: only the oldest of what waits was counted. */
  waiting: Closed({ queued: Type.Integer(), more: Type.Boolean(), oldestQueuedAt: Nullable(DateTime) }),
  /** Of webhooks: those that fail now, and those that are off. */
  endpoints: Type.Array(
    Closed({
      id: Uuid,
      url: Type.String(),
      consecutiveFailures: Type.Integer(),
      disabledAt: Nullable(DateTime),
      disabledReason: Nullable(Type.String()),
    }),
  ),
  /** Those that are not healthy. */
  domains: Type.Array(Closed({ id: Uuid, domain: Type.String(), health: Type.String() })),
  /** Of production; a limit of null: none. */
  plan: Nullable(
    Closed({
      name: Type.String(),
      messages: Closed({ used: Type.Integer(), limit: Nullable(Type.Integer()), resetsAt: DateTime }),
      storedBytes: Closed({ used: Type.Integer(), limit: Nullable(Type.Integer()) }),
    }),
  ),
})
export type Overview = Static<typeof Overview>

export const People = Closed({
  items: Type.Array(
    Closed({
      id: Uuid,
      email: Type.String(),
      name: Nullable(Type.String()),
      role: RoleName,
      status: OneOf(['invited', 'active']),
      factors: Closed({
        password: Type.Boolean(),
        totp: Type.Boolean(),
        passkeys: Type.Integer(),
        recoveryCodes: Type.Integer(),
        singleSignOn: Type.Boolean(),
      }),
      invitedAt: DateTime,
      joinedAt: Nullable(DateTime),
      lastSeenAt: Nullable(DateTime),
    }),
  ),
  /** Whether everybody must have one. */
  requiresSecondFactor: Type.Boolean(),
})
export type People = Static<typeof People>

export const Invite = Closed({ email: Type.String({ maxLength: 320 }), role: RoleName })

export const ChangeRole = Closed({ role: RoleName })

/** Shown to whoever made it, this once; mailed to whom it is for when they say so, where links can be mailed. */
export const MadeLink = Closed({ id: Uuid, link: Type.String(), expiresAt: DateTime, canBeMailed: Type.Boolean() })
export type MadeLink = Static<typeof MadeLink>

export const MailLink = Closed({
  kind: OneOf(['person', 'mailbox_user']),
  /** Of the link, behind `/enter/`. */
  token: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' }),
  /** Of a mailbox user: where it is to go. */
  to: Type.Optional(Type.String({ maxLength: 320 })),
})

export const SingleSignOnSettings = Closed({
  provider: Nullable(Closed({ issuer: Type.String(), clientId: Type.String(), setAt: DateTime })),
  /** Where people sign in by it. */
  signInUrl: Type.String(),
  /** What the provider has to be told: where it may send people back to. */
  callbackUrl: Type.String(),
})
export type SingleSignOnSettings = Static<typeof SingleSignOnSettings>

export const NamedProvider = Closed({
  issuer: Type.String({ maxLength: 2_048 }),
  clientId: Type.String({ maxLength: 1_000 }),
  clientSecret: Type.String({ maxLength: 4_000 }),
})

/** A list's page: where the next one begins, or null. */
export const Listed = <T extends TSchema>(item: T) =>
  Closed({ items: Type.Array(item), nextCursor: Nullable(Type.String()) })

export const EventFilters = Closed({
  type: Type.Optional(OneOf(EVENT_TYPES)),
  resourceId: Type.Optional(Uuid),
  since: Type.Optional(Type.String()),
  until: Type.Optional(Type.String()),
  cursor: Type.Optional(Type.String()),
})

export const EventList = Listed(Event)
export type ListedEvent = Static<typeof Event>
