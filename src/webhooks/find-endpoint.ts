// One endpoint, as far as it lies in an actor's reach.
import type { TenantActor } from '../access/actor.ts'
import { problem } from '../access/problem.ts'
import { type Db, sql, type Timestamp, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { endpointReach } from './endpoint-reach.ts'
import type { WebhookEndpoint } from './schemas.ts'

/** Why one was disabled, and since when its attempts fail, is for people: the API does not show it. */
export interface KnownEndpoint extends WebhookEndpoint {
  disabledReason: string | null
  /** When the first of its failures in a row was counted; null while there are none. */
  failingSince: Timestamp | null
  /** The same of the row before, or when it was disabled, as it was enabled last. */
  lastFailingSince: Timestamp | null
}

/** Undefined when it is absent, deleted, or beyond the actor's reach. */
export function findEndpoint(db: Db, actor: TenantActor, id: Uuid): Promise<KnownEndpoint | undefined> {
  const { tenantId, environmentId, appId } = endpointReach(actor)
  return db.first(sql<KnownEndpoint>`
    select id, app_id as "appId", url, description, event_types as "eventTypes", enabled,
      consecutive_failures as "consecutiveFailures", disabled_at as "disabledAt", disabled_reason as "disabledReason",
      failing_since as "failingSince", last_failing_since as "lastFailingSince",
      created_at as "createdAt"
    from webhook_endpoints
    where tenant_id = ${tenantId} and environment_id = ${environmentId} and id = ${id} and deleted_at is null
      and (${appId}::uuid is null or app_id = ${appId})`)
}

/** @throws Problem not_found */
export async function requireEndpoint(db: Db, actor: TenantActor, id: Uuid): Promise<KnownEndpoint> {
  const endpoint = await findEndpoint(db, actor, id)
  if (!endpoint) throw problem('not_found')
  return endpoint
}

export interface EndpointRef {
  tenantId: Uuid
  id: Uuid
}

/** Locks the endpoint for a change: what follows in the transaction finds it by its tenant. @throws Problem not_found */
export async function lockEndpoint(tx: Tx, actor: TenantActor, id: Uuid): Promise<EndpointRef> {
  const { tenantId, environmentId, appId } = endpointReach(actor)
  const endpoint = await tx.first(sql<EndpointRef>`
    select tenant_id as "tenantId", id from webhook_endpoints
    where tenant_id = ${tenantId} and environment_id = ${environmentId} and id = ${id} and deleted_at is null
      and (${appId}::uuid is null or app_id = ${appId})
    for no key update`)
  if (!endpoint) throw problem('not_found')
  return endpoint
}
