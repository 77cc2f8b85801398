// A request to the API that was refused, as it is kept for whoever looks for the reason: nothing of its body, of its query or
// of its key.
import type { Uuid } from '../lib/uuid.ts'

export interface RefusedRequest {
  tenantId: Uuid
  environmentId: Uuid
  requestId: Uuid
  /** When it came, ISO 8601. */
  at: string
  method: string
  /** `/v1/messages/{messageId}` */
  route: string
  /** As it was asked for, without its query. */
  path: string
  /** Of HTTP, 400 to 599. */
  status: number
  /** Of the catalogue of problems; null when the answer had none. */
  code: string | null
  appId: Uuid
  keyId: Uuid
  clientAddress: string
  userAgent: string | null
  durationMs: number
}
