// What is posted for a delivery, as its receiver gets it, to be looked at: nothing of it is signed.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { eventDataText } from '../events/event-text.ts'
import { type Db, sql, type Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { DELIVERY_HEADERS, deliveryBody } from './delivery-body.ts'
import { readDelivery } from './read-delivery.ts'
import { makeWebhookSecret, signatureHeaders, signingKey } from './signature.ts'

export interface DeliveryRequest {
  /** Where it is posted now. */
  url: string
  /** In their order. Null: each attempt has its own, or it is not shown. */
  headers: { name: string; value: string | null }[]
  /** Octet by octet; the same in every attempt. */
  body: string
  resourceType: string
  resourceId: Uuid
}

/**
 * Null when the log no longer has the event.
 * @throws Problem not_found when it is absent, or its endpoint deleted or beyond the actor's reach
 */
export async function readRequest(db: Db, actor: TenantActor, deliveryId: Uuid): Promise<DeliveryRequest | null> {
  assertMay(actor, 'readWebhooks')
  await readDelivery(db, actor, deliveryId)
  const sent = await db.first(sql<{
    url: string
    apiVersion: string
    eventId: Uuid
    type: string
    resourceType: string
    resourceId: Uuid
    data: string
    occurredAt: Timestamp
  }>`
    select w.url, w.api_version as "apiVersion", e.id as "eventId", e.type, e.resource_type as "resourceType",
      e.resource_id as "resourceId", e.data::text as data, e.occurred_at as "occurredAt"
    from webhook_deliveries d
    join webhook_endpoints w on w.tenant_id = d.tenant_id and w.id = d.endpoint_id
    join events e on e.tenant_id = d.tenant_id and e.environment_id = d.environment_id and e.epoch = d.epoch
      and e.xid = d.xid and e.seq = d.seq
    where d.tenant_id = ${actor.tenantId} and d.id = ${deliveryId}`)
  if (!sent) return null
  const { url, eventId: id, resourceType, resourceId, ...event } = sent
  const body = deliveryBody({ ...event, id, data: eventDataText(resourceType, resourceId, event.data) })
  return { url, headers: headersOf(id, body), body: body.toString(), resourceType, resourceId }
}

function headersOf(eventId: Uuid, body: Uint8Array): DeliveryRequest['headers'] {
  // By a secret of the moment, for their names.
  const signed = signatureHeaders({ id: eventId, timestamp: 0, body }, [signingKey(makeWebhookSecret())])
  return [
    ...Object.entries(DELIVERY_HEADERS).map(([name, value]) => ({ name, value })),
    ...Object.entries(signed).map(([name, value]) => ({ name, value: value === eventId ? value : null })),
  ]
}
