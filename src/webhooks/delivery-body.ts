// The body of what is posted to an endpoint. specification.md#body-of-a-delivery
import type { Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** Fixed for an endpoint when it is made. specification.md#versions */
export const API_VERSION = '2026-01-01'

/** The type of the request that an endpoint must answer before it is stored. specification.md#handshake */
export const VERIFICATION_TYPE = 'webhook.endpoint_verification'
/** The type of what `POST …/test` sends: no event of the log. */
export const TEST_TYPE = 'webhook.endpoint_test'

export interface DeliveryBody {
  id: Uuid
  type: string
  apiVersion: string
  occurredAt: Timestamp
  /** JSON as it was written. */
  data: string
}

/** The octets to sign and send. */
export function deliveryBody({ id, type, apiVersion, occurredAt, data }: DeliveryBody): Buffer {
  const head = JSON.stringify({ id, type, apiVersion, occurredAt })
  return Buffer.from(`${head.slice(0, -1)},"data":${data}}`)
}

/** The headers beside the signatures. specification.md#headers-of-a-delivery */
export const DELIVERY_HEADERS = { 'Content-Type': 'application/json', 'User-Agent': 'Service-Webhooks/1.0' } as const
