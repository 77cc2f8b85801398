// Reads what the worker needs of many deliveries at once: what is sent, where to, and whether it still should be.
import { type Db, sql, type Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { type DeliveryStatus, WEBHOOK_QUEUE } from './delivery-state.ts'

export interface LoadedDelivery {
  tenantId: Uuid
  id: Uuid
  endpointId: Uuid
  status: DeliveryStatus
  cycle: number
  attempts: number
  isDue: boolean
  url: string
  enabled: boolean
  /** The endpoint's counter as the attempt begins. */
  failures: number
  /** True while it gets one attempt at a time: it is new, or its last attempt failed. */
  single: boolean
  apiVersion: string
  secret: Uint8Array
  previousSecret: Uint8Array | null
  eventId: Uuid
  type: string
  /** JSON as it was written. */
  data: string
  occurredAt: Timestamp
}

/** In the order of their references; undefined where one is gone. */
export async function loadDeliveries(
  db: Db,
  references: readonly { tenantId: Uuid; id: Uuid }[],
): Promise<(LoadedDelivery | undefined)[]> {
  const rows = await db.rows(sql<LoadedDelivery>`
    select d.tenant_id as "tenantId", d.id, d.endpoint_id as "endpointId", d.status, d.cycle, d.attempts,
      coalesce(d.next_attempt_at <= clock_timestamp(), false) as "isDue", w.url, w.enabled,
      w.consecutive_failures as failures, c.cap is not null as single, w.api_version as "apiVersion", w.secret,
      case when w.previous_secret_until > clock_timestamp() then w.previous_secret end as "previousSecret",
      e.id as "eventId", e.type, e.data::text as data, e.occurred_at as "occurredAt"
    from unnest(${references.map((r) => r.tenantId)}::uuid[], ${references.map((r) => r.id)}::uuid[])
      as n (tenant_id, id)
    join webhook_deliveries d on d.tenant_id = n.tenant_id and d.id = n.id
    join webhook_endpoints w on w.tenant_id = d.tenant_id and w.id = d.endpoint_id and w.deleted_at is null
    join events e on e.tenant_id = d.tenant_id and e.environment_id = d.environment_id and e.epoch = d.epoch
      and e.xid = d.xid and e.seq = d.seq
    left join lane_caps c on c.tenant_id = d.tenant_id and c.queue = ${WEBHOOK_QUEUE} and c.lane = d.endpoint_id`)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return references.map((reference) => byId.get(reference.id))
}
