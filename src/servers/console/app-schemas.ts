// What the pages of applications and their keys are given, and what they send.
import type { Static } from 'typebox'
import { SCOPES } from '../../access/permissions.ts'
import { Type } from '../../lib/schema-types.ts'
import { Closed, DateTime, Nullable, OneOf, Uuid } from '../../lib/schemas.ts'

const EnvironmentName = OneOf(['production', 'sandbox'])
const AppStatus = OneOf(['active', 'suspended'])

const App = Closed({
  id: Uuid,
  name: Type.String(),
  environment: EnvironmentName,
  status: AppStatus,
  createdAt: DateTime,
  /** How many there are that are neither revoked nor expired. */
  keys: Type.Integer(),
  lastUsedAt: Nullable(DateTime),
})
export type ConsoleApp = Static<typeof App>

export const Apps = Closed({ items: Type.Array(App) })
export type Apps = Static<typeof Apps>

const Key = Closed({
  id: Uuid,
  name: Nullable(Type.String()),
  /** What it begins with. */
  prefix: Type.String(),
  scopes: Type.Array(OneOf(SCOPES)),
  createdAt: DateTime,
  expiresAt: Nullable(DateTime),
  revokedAt: Nullable(DateTime),
  lastUsedAt: Nullable(DateTime),
  /** Of keys that were made before it was noted: null. */
  madeBy: Nullable(Closed({ kind: OneOf(['person', 'operator']), name: Nullable(Type.String()) })),
  /** The key that it was made in the place of. */
  replaces: Nullable(Uuid),
  /** Of each day of UTC in the last week, the oldest first, today last. */
  requests: Type.Array(Closed({ day: Type.String(), requests: Type.Integer() })),
})
export type ConsoleKey = Static<typeof Key>

export const ShownApp = Closed({
  app: App,
  /** Newest first; of those that are revoked or expired the newest 50. */
  keys: Type.Array(Key),
  /** Where keys are good. */
  apiUrl: Type.String(),
  /** One to send from, when there is one that may. */
  mailbox: Nullable(Closed({ id: Uuid, address: Type.String() })),
})
export type ShownApp = Static<typeof ShownApp>

/** The verbs say what else it must not have. */
const Name = Type.String({ minLength: 1 })

export const NewApp = Closed({ name: Name, environment: EnvironmentName })

export const MadeApp = Closed({ id: Uuid })
export type MadeApp = Static<typeof MadeApp>

export const ChangeAppStatus = Closed({ status: AppStatus })

export const NewKey = Closed({
  name: Name,
  scopes: Type.Array(OneOf(SCOPES), { minItems: 1 }),
  /** Such as `90d`; absent: never. */
  expiresIn: Type.Optional(Type.String()),
})

/** Shown to whoever made it, this once. */
export const MadeKey = Closed({ id: Uuid, key: Type.String() })
export type MadeKey = Static<typeof MadeKey>
