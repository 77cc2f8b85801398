// What the page of the audit log is given, and what it asks for.
import type { Static } from 'typebox'
import { Type } from '../../lib/schema-types.ts'
import { Closed, DateTime, Nullable, OneOf, Uuid } from '../../lib/schemas.ts'
import { Listed } from './schemas.ts'

const ACTORS = ['person', 'application', 'mailbox_user', 'operator'] as const

export const AuditQuery = Closed({
  by: Type.Optional(OneOf(ACTORS)),
  person: Type.Optional(Uuid),
  key: Type.Optional(Uuid),
  operation: Type.Optional(Type.String({ pattern: '^[A-Za-z_.-]{1,64}$' })),
  /** What it was done to. */
  resource: Type.Optional(Uuid),
  /** Sends are among them. */
  sends: Type.Optional(OneOf(['true'])),
  since: Type.Optional(Type.String()),
  until: Type.Optional(Type.String()),
  cursor: Type.Optional(Type.String()),
})

/** The same as the feature names them. */
export function auditBy({ person, key, resource, sends, ...filters }: Static<typeof AuditQuery>) {
  return {
    ...filters,
    ...(person && { personId: person }),
    ...(key && { keyId: key }),
    ...(resource && { resourceId: resource }),
    ...(sends && { sends: true }),
  }
}

export const ShownAct = Closed({
  id: Uuid,
  at: DateTime,
  by: OneOf(ACTORS),
  /** Of a person or mailbox user: the login as it was. */
  actorName: Nullable(Type.String()),
  personId: Nullable(Uuid),
  mailboxUserId: Nullable(Uuid),
  /** Of the machine, when the operator did it. */
  account: Nullable(Type.String()),
  appId: Nullable(Uuid),
  appName: Nullable(Type.String()),
  keyId: Nullable(Uuid),
  keyName: Nullable(Type.String()),
  keyStart: Nullable(Type.String()),
  operation: Type.String(),
  /** What was done, as it follows the actor’s name. */
  words: Type.String(),
  resourceType: Type.String(),
  resourceId: Nullable(Uuid),
  /** What it is called now; null for what has no name or is gone. */
  resourceName: Nullable(Type.String()),
  /** Of a key: whose it is. */
  resourceAppId: Nullable(Uuid),
  /** Where a message, an endpoint or a delivery is, as a page’s address names it; null for what is gone or nowhere. */
  resourceEnvironment: Nullable(Type.String()),
  /** What it was asked about. */
  details: Nullable(Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })),
  clientAddress: Nullable(Type.String()),
  userAgent: Nullable(Type.String()),
  requestId: Nullable(Type.String()),
})
export type ShownAct = Static<typeof ShownAct>

export const ActList = Listed(ShownAct)

/** What can be looked for: each operation and its words. */
export const OperationList = Closed({ items: Type.Array(Closed({ operation: Type.String(), words: Type.String() })) })
export type OperationList = Static<typeof OperationList>
