// Makes an endpoint of an application. Network first, then one transaction: nothing is stored of an endpoint that has not
// answered.
import type { AppRef, Realm, TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { overCapacity } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import { openLane } from '../lib/queue/lanes.ts'
import type { Secret } from '../lib/secret.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { type Database, type Db, sql, type Tx } from '../lib/sql.ts'
import { newId, type Uuid } from '../lib/uuid.ts'
import { API_VERSION } from './delivery-body.ts'
import { endpointLane } from './endpoint-lane.ts'
import { requireEndpoint } from './find-endpoint.ts'
import { checkEndpointUrl, type HandshakeDeps, verifyEndpoint } from './handshake.ts'
import { requireApp } from './require-app.ts'
import type { CreateWebhookEndpointInput, WebhookEndpoint } from './schemas.ts'
import { makeWebhookSecret } from './signature.ts'
import { sealSecret } from './signing-keys.ts'

/** Every event is a delivery and a job for each, in the statement that writes the event (ADR 12). */
const MOST_ENDPOINTS = 100

export interface CreateEndpointDeps extends HandshakeDeps {
  database: Database
  box: SecretBox
}

/**
 * Of an application in the actor's reach; an application makes its own.
 * @throws Problem not_found, webhook_url_invalid, plan_capacity_exceeded, webhook_verification_failed, sign_in_again
 */
export async function createEndpoint(
  deps: CreateEndpointDeps,
  actor: TenantActor,
  appId: Uuid,
  input: CreateWebhookEndpointInput,
): Promise<{ endpoint: WebhookEndpoint; secret: Secret }> {
  assertMay(actor, 'showWebhookSecrets')
  const { tenantId, environmentId } = actor
  const app = { tenantId, environmentId, appId }
  await requireApp(deps.database, actor, appId)
  const id = newId()
  const secret = makeWebhookSecret()
  checkEndpointUrl(input.url, deps.webhookAllow)
  refuseWhenFull(await countEndpoints(deps.database, app))
  await verifyEndpoint(deps, input.url, id, secret)
  const endpoint = await deps.database.transaction(async (tx) => {
    // Others may have taken the room meanwhile. In this order: what is counted after the lock is all there is.
    const [, used] = await Promise.all([lockApplication(tx, app), countEndpoints(tx, app)])
    refuseWhenFull(used)
    await insertEndpoint(tx, app, {
      id,
      url: input.url,
      description: input.description ?? null,
      eventTypes: [...new Set(input.eventTypes)],
      apiVersion: API_VERSION,
      secret: sealSecret(deps.box, tenantId, id, secret),
    })
    // One at a time until it has shown that it takes them.
    await openLane(tx, endpointLane({ tenantId, id }), 1)
    const resourceType = 'webhook_endpoint'
    await recordAct(tx, actor, { operation: 'createWebhookEndpoint', resourceType, resourceId: id })
    return requireEndpoint(tx, actor, id)
  })
  return { endpoint, secret }
}

function refuseWhenFull(used: number): void {
  if (used < MOST_ENDPOINTS) return
  throw overCapacity(
    { resource: 'webhook_endpoints', limit: MOST_ENDPOINTS, used, resetsAt: null },
    `An application may have ${MOST_ENDPOINTS} webhook endpoints. Delete one to make room.`,
  )
}

/** How many there are, those that are disabled too. */
async function countEndpoints(db: Db, app: AppRef): Promise<number> {
  const row = await db.first(sql<{ count: number }>`
    select count(*) from webhook_endpoints
    where tenant_id = ${app.tenantId} and app_id = ${app.appId} and deleted_at is null`)
  return row?.count ?? 0
}

/** Until the transaction ends nobody else makes an endpoint of this application. */
async function lockApplication(tx: Tx, app: AppRef): Promise<void> {
  await tx.rows(sql`select from apps where tenant_id = ${app.tenantId} and id = ${app.appId} for no key update`)
}

export interface NewEndpoint {
  id: Uuid
  url: string
  description: string | null
  eventTypes: readonly string[]
  apiVersion: string
  /** Sealed. */
  secret: Uint8Array
}

export async function insertEndpoint(
  tx: Tx,
  { tenantId, appId, environmentId }: AppRef & Realm,
  endpoint: NewEndpoint,
): Promise<void> {
  await tx.rows(sql`
    insert into webhook_endpoints (tenant_id, id, app_id, environment_id, url, description, event_types, api_version,
      secret)
    values (${tenantId}, ${endpoint.id}, ${appId}, ${environmentId}, ${endpoint.url}, ${endpoint.description},
      ${endpoint.eventTypes}::text[], ${endpoint.apiVersion}, ${endpoint.secret})`)
}
