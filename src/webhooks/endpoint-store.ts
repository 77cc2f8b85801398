// The table of webhook endpoints. Every one belongs to the application that made it, and no other sees it.
import type { Application, AppRef } from '../access/actor.ts'
import { type Db, sql, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import type { WebhookEndpoint } from './schemas.ts'
import type { SealedSecrets } from './signing-keys.ts'

/** The application's endpoints, oldest first. */
export function listEndpoints(db: Db, app: AppRef): Promise<WebhookEndpoint[]> {
  return db.rows(sql<WebhookEndpoint>`
    select id, app_id as "appId", url, description, event_types as "eventTypes", enabled,
      consecutive_failures as "consecutiveFailures", disabled_at as "disabledAt", created_at as "createdAt"
    from webhook_endpoints
    where tenant_id = ${app.tenantId} and app_id = ${app.appId} and deleted_at is null
    order by id`)
}

/** The same for the operator, who also sees why one was disabled. */
export function listEndpointsForOperator(
  db: Db,
  app: AppRef,
): Promise<(WebhookEndpoint & { disabledReason: string | null })[]> {
  return db.rows(sql<WebhookEndpoint & { disabledReason: string | null }>`
    select id, app_id as "appId", url, description, event_types as "eventTypes", enabled,
      consecutive_failures as "consecutiveFailures", disabled_at as "disabledAt", disabled_reason as "disabledReason",
      created_at as "createdAt"
    from webhook_endpoints
    where tenant_id = ${app.tenantId} and app_id = ${app.appId} and deleted_at is null
    order by id`)
}

export function findEndpoint(db: Db, app: AppRef, id: Uuid): Promise<WebhookEndpoint | undefined> {
  return db.first(sql<WebhookEndpoint>`
    select id, app_id as "appId", url, description, event_types as "eventTypes", enabled,
      consecutive_failures as "consecutiveFailures", disabled_at as "disabledAt", created_at as "createdAt"
    from webhook_endpoints
    where tenant_id = ${app.tenantId} and app_id = ${app.appId} and id = ${id} and deleted_at is null`)
}

/** Whose an endpoint is, for commands of the operator. */
export function findEndpointOwner(db: Db, id: Uuid): Promise<{ tenantId: Uuid; appId: Uuid } | undefined> {
  return db.first(sql<{ tenantId: Uuid; appId: Uuid }>`
    select tenant_id as "tenantId", app_id as "appId" from webhook_endpoints where id = ${id} and deleted_at is null`)
}

/** How many there are, those that are disabled too. */
export async function countEndpoints(db: Db, app: AppRef): Promise<number> {
  const row = await db.first(sql<{ count: number }>`
    select count(*) from webhook_endpoints
    where tenant_id = ${app.tenantId} and app_id = ${app.appId} and deleted_at is null`)
  return row?.count ?? 0
}

/** Until the transaction ends nobody else makes an endpoint of this application. */
export async function lockApplication(tx: Tx, app: AppRef): Promise<void> {
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
  { tenantId, appId, environmentId }: Pick<Application, 'tenantId' | 'appId' | 'environmentId'>,
  endpoint: NewEndpoint,
): Promise<void> {
  await tx.rows(sql`
    insert into webhook_endpoints (tenant_id, id, app_id, environment_id, url, description, event_types, api_version,
      secret)
    values (${tenantId}, ${endpoint.id}, ${appId}, ${environmentId}, ${endpoint.url}, ${endpoint.description},
      ${endpoint.eventTypes}::text[], ${endpoint.apiVersion}, ${endpoint.secret})`)
}

/** Changes what is given. */
export async function changeEndpoint(
  tx: Tx,
  { tenantId, appId }: AppRef,
  id: Uuid,
  change: { url?: string | undefined; description?: string | null | undefined; eventTypes?: string[] | undefined },
): Promise<void> {
  await tx.rows(sql`
    update webhook_endpoints
    set url = coalesce(${change.url ?? null}, url),
      description = case when ${change.description !== undefined} then ${change.description ?? null} else description end,
      event_types = coalesce(${change.eventTypes ?? null}::text[], event_types)
    where tenant_id = ${tenantId} and app_id = ${appId} and id = ${id} and deleted_at is null`)
}

/** Enabling starts the count of failures anew. Nothing else happens to one that is as asked already. */
export async function setEnabled(
  tx: Tx,
  { tenantId, appId }: AppRef,
  id: Uuid,
  enabled: boolean,
  reason: string,
): Promise<void> {
  await tx.rows(sql`
    update webhook_endpoints
    set enabled = ${enabled}, consecutive_failures = case when ${enabled} then 0 else consecutive_failures end,
      disabled_at = case when ${enabled} then null else clock_timestamp() end,
      disabled_reason = case when ${enabled} then null else ${reason} end
    where tenant_id = ${tenantId} and app_id = ${appId} and id = ${id} and deleted_at is null
      and (enabled <> ${enabled} or (enabled and consecutive_failures > 0))`)
}

/** False when it was gone already. */
export async function markDeleted(tx: Tx, { tenantId, appId }: AppRef, id: Uuid): Promise<boolean> {
  const rows = await tx.rows(sql<{ id: Uuid }>`
    update webhook_endpoints set deleted_at = clock_timestamp()
    where tenant_id = ${tenantId} and app_id = ${appId} and id = ${id} and deleted_at is null returning id`)
  return rows.length > 0
}

/** The new secret; the one it replaces holds so much longer. */
export async function replaceSecret(
  tx: Tx,
  { tenantId, appId }: AppRef,
  id: Uuid,
  secret: Uint8Array,
  overlapSeconds: number,
): Promise<boolean> {
  const rows = await tx.rows(sql<{ id: Uuid }>`
    update webhook_endpoints
    set previous_secret = secret, secret = ${secret},
      previous_secret_until = clock_timestamp() + make_interval(secs => ${overlapSeconds})
    where tenant_id = ${tenantId} and app_id = ${appId} and id = ${id} and deleted_at is null returning id`)
  return rows.length > 0
}

export function readSecrets(db: Db, { tenantId, appId }: AppRef, id: Uuid): Promise<SealedSecrets | undefined> {
  return db.first(sql<SealedSecrets>`
    select tenant_id, id, secret,
      case when previous_secret_until > clock_timestamp() then previous_secret end as previous_secret
    from webhook_endpoints
    where tenant_id = ${tenantId} and app_id = ${appId} and id = ${id} and deleted_at is null`)
}
