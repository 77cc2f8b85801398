// Changes an endpoint. A new URL has to answer before anything is stored of it.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { recordAct } from '../audit/record.ts'
import { openLane } from '../lib/queue/lanes.ts'
import { type Database, sql, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { disable } from './disable-endpoint.ts'
import { enable } from './enable-endpoint.ts'
import { endDeliveries } from './end-deliveries.ts'
import { endpointLane } from './endpoint-lane.ts'
import { type EndpointRef, lockEndpoint, requireEndpoint } from './find-endpoint.ts'
import { type HandshakeDeps, verifyEndpoint } from './handshake.ts'
import type { UpdateWebhookEndpointInput, WebhookEndpoint } from './schemas.ts'
import { makeWebhookSecret } from './signature.ts'

export interface UpdateEndpointDeps extends HandshakeDeps {
  database: Database
}

/**
 * A new URL has to pass the handshake first, and then what is pending goes there at once, one at a time; so it does after
 * enabling. What is pending when it is disabled becomes dead.
 * @throws Problem not_found, webhook_url_invalid, webhook_verification_failed
 */
export async function updateEndpoint(
  deps: UpdateEndpointDeps,
  actor: TenantActor,
  id: Uuid,
  change: UpdateWebhookEndpointInput,
): Promise<WebhookEndpoint> {
  assertMay(actor, 'writeWebhooks')
  const { enabled, url } = change
  const before = await requireEndpoint(deps.database, actor, id)
  const moves = url !== undefined && url !== before.url
  // Signed with a secret of the moment: what holds for the endpoint is proven by deliveries.
  if (moves) await verifyEndpoint(deps, url, id, makeWebhookSecret())
  const endpoint = await deps.database.transaction(async (tx) => {
    const locked = await lockEndpoint(tx, actor, id)
    await changeEndpoint(tx, locked, change)
    if (moves) await openLane(tx, endpointLane(locked), 1)
    if (enabled === true) await enable(tx, locked)
    if (enabled === false) await disable(tx, locked, actor)
    const resourceType = 'webhook_endpoint'
    await recordAct(tx, actor, { operation: 'updateWebhookEndpoint', resourceType, resourceId: id })
    return requireEndpoint(tx, actor, id)
  })
  if (!endpoint.enabled) await endDeliveries(deps.database, { tenantId: actor.tenantId, id })
  return endpoint
}

/** Changes what is given. */
async function changeEndpoint(
  tx: Tx,
  endpoint: EndpointRef,
  { url, description, eventTypes }: UpdateWebhookEndpointInput,
): Promise<void> {
  await tx.rows(sql`
    update webhook_endpoints
    set url = coalesce(${url ?? null}, url),
      description = case when ${description !== undefined} then ${description ?? null} else description end,
      event_types = coalesce(${eventTypes ? [...new Set(eventTypes)] : null}::text[], event_types)
    where tenant_id = ${endpoint.tenantId} and id = ${endpoint.id}`)
}
