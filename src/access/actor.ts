// Who acts, and on whose data. Made only by whoever authenticated it: nothing a caller sends can change it. Every verb that
// reads or writes a tenant's data takes one, and every audit record says which.
import type { Uuid } from '../lib/uuid.ts'
import type { PersonRole, Scope } from './permissions.ts'
import type { RequestOrigin } from './request-origin.ts'

export type Environment = 'production' | 'sandbox'

/** Whose data: what every statement over a tenant's data binds. */
export interface Realm {
  readonly tenantId: Uuid
  /** The tenant's id in production, the application's in a sandbox. */
  readonly environmentId: Uuid
}

/** The tenant's production, which is also what stands for all that has no environment: its mailboxes, domains, keys. */
export function productionOf(tenantId: Uuid): Realm {
  return { tenantId, environmentId: tenantId }
}

/** What stands in the place of a tenant where people are kept (ADR 36). */
export const DIRECTORY: Uuid = '00000000-0000-0000-0000-000000000000'

/** An application of a tenant, by one of its API keys. */
export interface Application extends Realm {
  readonly kind: 'application'
  readonly appId: Uuid
  readonly keyId: Uuid
  readonly environment: Environment
  readonly scopes: ReadonlySet<Scope>
  /** Of the tenant's plan; 0: unlimited. */
  readonly limits: { readonly keyPerMinute: number; readonly tenantPerDay: number }
  readonly origin: RequestOrigin
}

/** What a key proves, before it is known where the request comes from. */
export type Credential = Omit<Application, 'origin'>

/** Somebody with a role in a tenant, signed in to the console. */
export interface Person extends Realm {
  readonly kind: 'person'
  readonly personId: Uuid
  readonly role: PersonRole
  /** All factors were proven within the last ten minutes. */
  readonly signedInRecently: boolean
  readonly origin: RequestOrigin
}

/** Somebody with mailboxes of a tenant, signed in to the webmail. */
export interface MailboxUser extends Realm {
  readonly kind: 'mailbox_user'
  readonly mailboxUserId: Uuid
  readonly mailboxes: ReadonlyMap<Uuid, 'read' | 'write'>
  readonly origin: RequestOrigin
}

/** Whoever runs the service, by a command on its machine. */
export interface Operator {
  readonly kind: 'operator'
  /** The account of the machine that ran the command. */
  readonly account: string
}

/** The operator at the data of one tenant. */
export type TenantOperator = Operator & Realm

export type Actor = Application | Person | MailboxUser | TenantOperator

/**
 * Whoever sees every mailbox of the tenant. A verb that does not look at which mailboxes an actor has takes this, so that
 * a mailbox user cannot be given to it.
 */
export type TenantActor = Exclude<Actor, MailboxUser>

/** Whoever mail and files may come from. Never a person: nobody writes as the tenant. */
export type Author = Application | MailboxUser

/** What tells authors of both kinds apart: one's idempotency keys mean nothing to another. */
export function authorId(actor: Author): Uuid {
  return actor.kind === 'application' ? actor.appId : actor.mailboxUserId
}

/** An application as the owner of something. */
export interface AppRef {
  readonly tenantId: Uuid
  readonly appId: Uuid
}

/** The operator, about to act on what one tenant has in one environment. */
export function operatorIn({ kind, account }: Operator, { tenantId, environmentId }: Realm): TenantOperator {
  return { kind, account, tenantId, environmentId }
}
