// What whoever is signed in sees and sends of their own account, on either site.
import type { Static } from 'typebox'
import { Type } from '../../lib/schema-types.ts'
import { Closed, DateTime, Nullable, Uuid } from '../../lib/schemas.ts'

export const Account = Closed({
  login: Type.String(),
  name: Nullable(Type.String()),
  /** Whether notices are mailed. */
  notices: Type.Boolean(),
  hasPassword: Type.Boolean(),
  hasTotp: Type.Boolean(),
  /** How many are left. */
  recoveryCodes: Type.Integer(),
  passkeys: Type.Array(Closed({ id: Uuid, name: Type.String(), createdAt: DateTime, lastUsedAt: Nullable(DateTime) })),
})
export type Account = Static<typeof Account>

export const SessionList = Closed({
  items: Type.Array(
    Closed({
      id: Uuid,
      /** The one that asks. */
      isThis: Type.Boolean(),
      clientAddress: Type.String(),
      userAgent: Nullable(Type.String()),
      createdAt: DateTime,
      lastUsedAt: DateTime,
    }),
  ),
})
export type SessionList = Static<typeof SessionList>

export const RecoveryCodes = Closed({ recoveryCodes: Type.Array(Type.String()) })
export type RecoveryCodes = Static<typeof RecoveryCodes>

/** `key`: for whoever cannot scan `qr`, an SVG. */
export const TotpOffer = Closed({ key: Type.String(), qr: Type.String() })
export type TotpOffer = Static<typeof TotpOffer>
