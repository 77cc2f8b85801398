// What the page of refused requests is given, and what it asks for.
import type { Static } from 'typebox'
import { Type } from '../../lib/schema-types.ts'
import { Closed, DateTime, Nullable, Uuid } from '../../lib/schemas.ts'
import { Listed } from './schemas.ts'

const Words = Type.String({ format: 'text', minLength: 1, maxLength: 512 })

export const RequestFilters = Closed({
  requestId: Type.Optional(Uuid),
  /** `4xx`, `5xx`, or one of these. */
  status: Type.Optional(Type.String()),
  code: Type.Optional(Words),
  key: Type.Optional(Uuid),
  app: Type.Optional(Uuid),
  /** Is in it. */
  path: Type.Optional(Words),
  since: Type.Optional(Type.String()),
  until: Type.Optional(Type.String()),
  cursor: Type.Optional(Type.String()),
})

/** The same as the feature names them. */
export function refusedBy({ key, app, ...filters }: Static<typeof RequestFilters>) {
  return { ...filters, ...(key && { keyId: key }), ...(app && { appId: app }) }
}

export const ShownRequest = Closed({
  requestId: Uuid,
  at: DateTime,
  method: Type.String(),
  /** As the contract has it. */
  route: Type.String(),
  /** As it was asked for, without its query. */
  path: Type.String(),
  status: Type.Integer(),
  code: Nullable(Type.String()),
  appId: Uuid,
  appName: Type.String(),
  keyId: Uuid,
  keyName: Nullable(Type.String()),
  keyStart: Type.String(),
  clientAddress: Type.String(),
  userAgent: Nullable(Type.String()),
  durationMs: Type.Integer(),
})
export type ShownRequest = Static<typeof ShownRequest>

export const RequestList = Listed(ShownRequest)

/** One of them, and what its code means; null where it is none of the catalogue any more. */
export const RefusedRequestView = Closed({
  request: ShownRequest,
  explanation: Nullable(
    Closed({
      means: Type.String(),
      toDo: Type.String(),
      /** Where the docs say more. */
      page: Type.String(),
    }),
  ),
})
export type RefusedRequestView = Static<typeof RefusedRequestView>
