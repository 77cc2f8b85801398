// Delivers to an endpoint again that was disabled, whoever disabled it.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { recordAct } from '../audit/record.ts'
import { openLane } from '../lib/queue/lanes.ts'
import { type Database, sql, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { endpointLane } from './endpoint-lane.ts'
import { type EndpointRef, lockEndpoint } from './find-endpoint.ts'

/** Succeeds when it is so already. What is pending goes there at once, one at a time. @throws Problem not_found */
export async function enableEndpoint(database: Database, actor: TenantActor, id: Uuid): Promise<void> {
  assertMay(actor, 'writeWebhooks')
  await database.transaction(async (tx) => {
    await enable(tx, await lockEndpoint(tx, actor, id))
    await recordAct(tx, actor, { operation: 'endpoint.enable', resourceType: 'webhook_endpoint', resourceId: id })
  })
}

/** Of one that is locked: its failures are counted from 0, and its wait ends. */
export async function enable(tx: Tx, endpoint: EndpointRef): Promise<void> {
  await tx.rows(sql`
    update webhook_endpoints
    set last_failing_since = coalesce(failing_since, disabled_at), enabled = true, consecutive_failures = 0,
      failing_since = null, disabled_at = null, disabled_reason = null
    where tenant_id = ${endpoint.tenantId} and id = ${endpoint.id} and (not enabled or consecutive_failures > 0)`)
  await openLane(tx, endpointLane(endpoint), 1)
}
