// The endpoints that lie in an actor's reach.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { endpointReach } from './endpoint-reach.ts'
import type { KnownEndpoint } from './find-endpoint.ts'

/** Oldest first. `ofAppId`: of this application only. */
export function listEndpoints(db: Db, actor: TenantActor, ofAppId: Uuid | null = null): Promise<KnownEndpoint[]> {
  assertMay(actor, 'readWebhooks')
  const { tenantId, environmentId, appId } = endpointReach(actor)
  return db.rows(sql<KnownEndpoint>`
    select id, app_id as "appId", url, description, event_types as "eventTypes", enabled,
      consecutive_failures as "consecutiveFailures", disabled_at as "disabledAt", disabled_reason as "disabledReason",
      failing_since as "failingSince", last_failing_since as "lastFailingSince",
      created_at as "createdAt"
    from webhook_endpoints
    where tenant_id = ${tenantId} and environment_id = ${environmentId} and deleted_at is null
      and (${appId}::uuid is null or app_id = ${appId}) and (${ofAppId}::uuid is null or app_id = ${ofAppId})
    order by id`)
}
