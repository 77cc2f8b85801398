// Removes an endpoint. What is left of it is swept later (sweep-webhooks.ts).
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { recordAct } from '../audit/record.ts'
import { openLane } from '../lib/queue/lanes.ts'
import { type Database, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { endpointLane } from './endpoint-lane.ts'
import { lockEndpoint } from './find-endpoint.ts'

/** Its deliveries end with it. @throws Problem not_found */
export async function deleteEndpoint(database: Database, actor: TenantActor, id: Uuid): Promise<void> {
  assertMay(actor, 'writeWebhooks')
  await database.transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, actor, id)
    await tx.rows(sql`
      update webhook_endpoints set deleted_at = clock_timestamp()
      where tenant_id = ${endpoint.tenantId} and id = ${id}`)
    await openLane(tx, endpointLane(endpoint), null)
    const resourceType = 'webhook_endpoint'
    await recordAct(tx, actor, { operation: 'deleteWebhookEndpoint', resourceType, resourceId: id })
  })
}
