// What the page of bounces is given, and what it sends.
import type { Static } from 'typebox'
import { Type } from '../../lib/schema-types.ts'
import { Closed, DateTime, Nullable, OneOf, Uuid } from '../../lib/schemas.ts'
import { ADDRESS_STATES } from '../../suppressions/list-bounced-addresses.ts'

const BounceKind = OneOf(['bounced', 'complained'])

const answer = {
  smtpCode: Nullable(Type.Integer()),
  enhancedCode: Nullable(Type.String()),
  diagnostic: Nullable(Type.String()),
}

const BouncedAddress = Closed({
  address: Type.String(),
  bounces: Type.Integer(),
  complaints: Type.Integer(),
  firstAt: Nullable(DateTime),
  lastAt: Nullable(DateTime),
  /** Of bounces and complaints. */
  last: Nullable(Closed({ kind: BounceKind, messageId: Uuid, ...answer })),
  /** Null while mail goes to it. */
  stopped: Nullable(
    Closed({
      id: Uuid,
      at: DateTime,
      reason: OneOf(['manual', 'import', 'bounce', 'complaint']),
      by: Nullable(Closed({ kind: OneOf(['person', 'operator']), name: Nullable(Type.String()) })),
      messageId: Nullable(Uuid),
      note: Nullable(Type.String()),
    }),
  ),
})
export type ListedAddress = Static<typeof BouncedAddress>

export const BouncesQuery = Closed({
  status: Type.Optional(OneOf(ADDRESS_STATES)),
  recipient: Type.Optional(Type.String({ format: 'email', maxLength: 254 })),
  since: Type.Optional(Type.String()),
  until: Type.Optional(Type.String()),
  cursor: Type.Optional(Type.String()),
})

export const BouncedAddresses = Closed({ items: Type.Array(BouncedAddress), nextCursor: Nullable(Type.String()) })

export const BouncesOfAddress = Closed({
  items: Type.Array(
    Closed({ id: Uuid, kind: BounceKind, at: DateTime, messageId: Uuid, subject: Nullable(Type.String()), ...answer }),
  ),
})
export type BouncesOfAddress = Static<typeof BouncesOfAddress>

export const NewStop = Closed({
  address: Type.String(),
  note: Type.Optional(Type.String({ format: 'text' })),
})

export const MadeStop = Closed({ id: Uuid, address: Type.String(), added: Type.Boolean() })
export type MadeStop = Static<typeof MadeStop>

export const StopsToImport = Closed({ text: Type.String({ minLength: 1, format: 'text' }) })

export const ImportedStops = Closed({
  added: Type.Integer(),
  known: Type.Integer(),
  refused: Type.Integer(),
  faults: Type.Array(Closed({ line: Type.Integer(), text: Type.String(), message: Type.String() })),
})
export type ImportedStops = Static<typeof ImportedStops>

export const AutomaticStops = Closed({ on: Type.Boolean() })
export type AutomaticStops = Static<typeof AutomaticStops>
