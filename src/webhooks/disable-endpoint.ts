// Delivers nothing to an endpoint until it is enabled again. One that keeps failing is disabled in record-attempts.ts.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { recordAct } from '../audit/record.ts'
import { openLane } from '../lib/queue/lanes.ts'
import { type Database, sql, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { endDeliveries } from './end-deliveries.ts'
import { endpointLane } from './endpoint-lane.ts'
import { type EndpointRef, lockEndpoint } from './find-endpoint.ts'

/** Succeeds when it is so already. What is pending becomes dead. @throws Problem not_found */
export async function disableEndpoint(database: Database, actor: TenantActor, id: Uuid): Promise<void> {
  assertMay(actor, 'writeWebhooks')
  await database.transaction(async (tx) => {
    await disable(tx, await lockEndpoint(tx, actor, id), actor)
    await recordAct(tx, actor, { operation: 'endpoint.disable', resourceType: 'webhook_endpoint', resourceId: id })
  })
  await endDeliveries(database, { tenantId: actor.tenantId, id })
}

/** Of one that is locked. What is pending for it is to be ended after the commit (end-deliveries.ts). */
export async function disable(tx: Tx, endpoint: EndpointRef, by: TenantActor): Promise<void> {
  await tx.rows(sql`
    update webhook_endpoints
    set enabled = false, disabled_at = clock_timestamp(), disabled_reason = ${REASONS[by.kind]}
    where tenant_id = ${endpoint.tenantId} and id = ${endpoint.id} and enabled`)
  await openLane(tx, endpointLane(endpoint), null)
}

const REASONS: Record<TenantActor['kind'], string> = {
  application: 'disabled by its application',
  person: 'disabled in the console',
  operator: 'disabled by the operator',
}
