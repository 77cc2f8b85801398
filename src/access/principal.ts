// Who a request comes from, as its API key says. Nothing a caller sends can change it.
import type { Uuid } from '../lib/uuid.ts'

/** specification.md#scopes */
export const SCOPES = [
  'mailboxes:read',
  'messages:read',
  'messages:write',
  'messages:send',
  'attachments:write',
  'attachments:read',
  'webhooks:read',
  'webhooks:write',
] as const

export type Scope = (typeof SCOPES)[number]

export type Environment = 'production' | 'sandbox'

export interface Principal {
  readonly tenantId: Uuid
  readonly appId: Uuid
  readonly keyId: Uuid
  readonly environment: Environment
  /** Whose data is seen: the tenant's id in production, the application's in a sandbox. */
  readonly environmentId: Uuid
  readonly scopes: ReadonlySet<Scope>
  /** Of the tenant's plan; 0: unlimited. */
  readonly limits: { readonly keyPerMinute: number; readonly tenantPerDay: number }
}
