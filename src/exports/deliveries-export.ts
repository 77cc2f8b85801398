// Webhook deliveries as a file, newest first.
import { listDeliveries } from '../webhooks/list-deliveries.ts'
import type { WebhookDeliveriesQuery } from '../webhooks/schemas.ts'
import { listExport } from './list-export.ts'

export const deliveriesExport = listExport<
  Omit<WebhookDeliveriesQuery, 'limit' | 'cursor'>,
  | ('id' | 'createdAt' | 'endpointId' | 'eventId' | 'eventType' | 'status' | 'cycle' | 'attemptCount' | 'receptions')
  | ('lastAttemptAt' | 'lastStatusCode' | 'lastError' | 'lastDurationMs' | 'nextAttemptAt' | 'deliveredAt' | 'deadAt')
>({
  name: 'deliveries',
  operation: 'exportDeliveries',
  resourceType: 'webhook_delivery',
  columns: [
    ...(['id', 'createdAt', 'endpointId', 'eventId', 'eventType', 'status', 'cycle', 'attemptCount'] as const),
    ...(['receptions', 'lastAttemptAt', 'lastStatusCode', 'lastError', 'lastDurationMs', 'nextAttemptAt'] as const),
    ...(['deliveredAt', 'deadAt'] as const),
  ],
  read: listDeliveries,
})
