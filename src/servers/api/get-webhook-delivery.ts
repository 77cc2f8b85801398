// Shows one delivery.
import { IdParams } from '../../lib/schemas.ts'
import type { Db } from '../../lib/sql.ts'
import { readDelivery } from '../../webhooks/read-delivery.ts'
import { WebhookDeliveryAnswer } from '../../webhooks/schemas.ts'
import { delivery } from './contract/examples.ts'
import { defineOperation } from './operation.ts'

export default defineOperation(
  {
    name: 'getWebhookDelivery',
    method: 'GET',
    path: '/v1/webhook-deliveries/:deliveryId',
    auth: 'key',
    scope: 'webhooks:read',
    params: IdParams('deliveryId'),
    answers: { 200: WebhookDeliveryAnswer },
    words: {
      tag: 'Webhooks',
      summary: 'Get a delivery',
      description: 'One delivery to an endpoint of this application, as it stands now.',
      extension: true,
      examples: { answer: { delivery } },
    },
  },
  ({ database }: { database: Db }) =>
    async ({ actor, params: { deliveryId } }) => ({ delivery: await readDelivery(database, actor, deliveryId) }),
)
