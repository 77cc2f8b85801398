// Makes, changes and removes an application's endpoints. Network first, then one transaction: nothing is stored of an
// endpoint that has not answered.
import type { Application, AppRef } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { problem } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import { databaseTime, unixSeconds } from '../lib/database-clock.ts'
import type { PublicFetch } from '../lib/public-fetch.ts'
import { openLane } from '../lib/queue/lanes.ts'
import type { Secret } from '../lib/secret.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import type { Database, Tx } from '../lib/sql.ts'
import { newId, type Uuid } from '../lib/uuid.ts'
import { API_VERSION, DELIVERY_HEADERS, deliveryBody, TEST_TYPE } from './delivery-body.ts'
import { type AttemptError, attemptFrom, WEBHOOK_QUEUE } from './delivery-state.ts'
import {
  changeEndpoint,
  countEndpoints,
  findEndpoint,
  insertEndpoint,
  lockApplication,
  markDeleted,
  readSecrets,
  replaceSecret,
  setEnabled,
} from './endpoint-store.ts'
import { checkEndpointUrl, type HandshakeDeps, verifyEndpoint } from './handshake.ts'
import type { CreateWebhookEndpointInput, UpdateWebhookEndpointInput, WebhookEndpoint } from './schemas.ts'
import { makeWebhookSecret, signatureHeaders } from './signature.ts'
import { type SigningKeyring, sealSecret } from './signing-keys.ts'

export interface EndpointDeps extends HandshakeDeps {
  database: Database
  box: SecretBox
  keyring: SigningKeyring
  publicFetch: PublicFetch
}

/** How long both secrets sign. specification.md#rotation-of-a-secret */
const OVERLAP_SECONDS = 24 * 60 * 60

/** Every event is a delivery and a job for each, in the statement that writes the event (ADR 12). */
const MOST_ENDPOINTS = 100

/** @throws Problem webhook_url_invalid, plan_capacity_exceeded, webhook_verification_failed */
export async function createEndpoint(
  deps: EndpointDeps,
  actor: Application,
  input: CreateWebhookEndpointInput,
): Promise<{ endpoint: WebhookEndpoint; secret: Secret }> {
  assertMay(actor, 'writeWebhooks')
  const id = newId()
  const secret = makeWebhookSecret()
  checkEndpointUrl(input.url, deps.allow)
  refuseWhenFull(await countEndpoints(deps.database, actor))
  await verifyEndpoint(deps, input.url, id, secret)
  const endpoint = await deps.database.transaction(async (tx) => {
    // Others may have taken the room meanwhile. In this order: what is counted after the lock is all there is.
    const [, used] = await Promise.all([lockApplication(tx, actor), countEndpoints(tx, actor)])
    refuseWhenFull(used)
    await insertEndpoint(tx, actor, {
      id,
      url: input.url,
      description: input.description ?? null,
      eventTypes: [...new Set(input.eventTypes)],
      apiVersion: API_VERSION,
      secret: sealSecret(deps.box, actor.tenantId, id, secret),
    })
    // One at a time until it has shown that it takes them.
    await openLane(tx, laneOf(actor, id), 1)
    await recordAct(tx, actor, act('createWebhookEndpoint', id))
    return mustFind(tx, actor, id)
  })
  return { endpoint, secret }
}

/**
 * A new URL has to pass the handshake first, and then what is pending goes there at once, one at a time; so it does after
 * enabling. @throws Problem not_found, webhook_url_invalid, webhook_verification_failed
 */
export async function updateEndpoint(
  deps: EndpointDeps,
  actor: Application,
  id: Uuid,
  input: UpdateWebhookEndpointInput,
): Promise<WebhookEndpoint> {
  assertMay(actor, 'writeWebhooks')
  const { enabled, url, description, eventTypes } = input
  const before = await mustFind(deps.database, actor, id)
  const moves = url !== undefined && url !== before.url
  // Signed with a secret of the moment: what holds for the endpoint is proven by deliveries.
  if (moves) await verifyEndpoint(deps, url, id, makeWebhookSecret())
  return deps.database.transaction(async (tx) => {
    await changeEndpoint(tx, actor, id, { url, description, eventTypes: eventTypes && [...new Set(eventTypes)] })
    if (enabled !== undefined) await setEnabled(tx, actor, id, enabled, 'disabled by its application')
    if (enabled || moves) await openLane(tx, laneOf(actor, id), 1)
    if (enabled === false) await openLane(tx, laneOf(actor, id), null)
    await recordAct(tx, actor, act('updateWebhookEndpoint', id))
    return mustFind(tx, actor, id)
  })
}

/** Its deliveries end with it. @throws Problem not_found */
export async function deleteEndpoint(deps: EndpointDeps, actor: Application, id: Uuid): Promise<void> {
  assertMay(actor, 'writeWebhooks')
  await deps.database.transaction(async (tx) => {
    if (!(await markDeleted(tx, actor, id))) throw problem('not_found')
    await openLane(tx, laneOf(actor, id), null)
    await recordAct(tx, actor, act('deleteWebhookEndpoint', id))
  })
}

/** @throws Problem not_found */
export async function rotateSecret(
  deps: Pick<EndpointDeps, 'database' | 'box'>,
  app: AppRef,
  id: Uuid,
  record: (tx: Tx) => Promise<void>,
): Promise<{ endpoint: WebhookEndpoint; secret: Secret }> {
  const secret = makeWebhookSecret()
  const sealed = sealSecret(deps.box, app.tenantId, id, secret)
  const endpoint = await deps.database.transaction(async (tx) => {
    if (!(await replaceSecret(tx, app, id, sealed, OVERLAP_SECONDS))) throw problem('not_found')
    await record(tx)
    return mustFind(tx, app, id)
  })
  return { endpoint, secret }
}

export interface TestResult {
  eventId: Uuid
  delivered: boolean
  statusCode: number | null
  error: AttemptError | null
  durationMs: number
}

/** Sends one signed request that is no event, now and once, and gives the result. @throws Problem not_found */
export async function testEndpoint(deps: EndpointDeps, actor: Application, id: Uuid): Promise<TestResult> {
  assertMay(actor, 'writeWebhooks')
  const endpoint = await mustFind(deps.database, actor, id)
  const sealed = await readSecrets(deps.database, actor, id)
  if (!sealed) throw problem('not_found')
  const eventId = newId()
  const now = await databaseTime(deps.database)
  const body = deliveryBody({
    id: eventId,
    type: TEST_TYPE,
    apiVersion: API_VERSION,
    occurredAt: now.toISOString(),
    data: JSON.stringify({ object: 'webhook_endpoint', id, test: true }),
  })
  const timestamp = unixSeconds(now)
  const signed = signatureHeaders({ id: eventId, timestamp, body }, deps.keyring.keysOf(sealed))
  const outcome = await deps.publicFetch.post(endpoint.url, { headers: { ...DELIVERY_HEADERS, ...signed }, body })
  const statusCode = 'status' in outcome ? outcome.status : null
  const attempt = attemptFrom(outcome)
  const error = attempt.kind === 'failed' ? attempt.error : null
  return { eventId, delivered: error === null, statusCode, error, durationMs: outcome.durationMs }
}

/** An endpoint's deliveries are a lane of their queue. */
function laneOf({ tenantId }: Pick<Application, 'tenantId'>, endpointId: Uuid) {
  return { tenantId, queue: WEBHOOK_QUEUE, lane: endpointId }
}

function refuseWhenFull(used: number): void {
  if (used < MOST_ENDPOINTS) return
  throw problem('plan_capacity_exceeded', {
    message: `An application may have ${MOST_ENDPOINTS} webhook endpoints. Delete one to make room.`,
    details: { resource: 'webhook_endpoints', limit: MOST_ENDPOINTS, used, resetsAt: null },
  })
}

async function mustFind(db: Parameters<typeof findEndpoint>[0], app: AppRef, id: Uuid): Promise<WebhookEndpoint> {
  const endpoint = await findEndpoint(db, app, id)
  if (!endpoint) throw problem('not_found')
  return endpoint
}

export function act(operation: string, resourceId: Uuid) {
  return { operation, resourceType: 'webhook_endpoint', resourceId }
}
