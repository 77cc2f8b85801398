// Shows the endpoints of the application that asks, and nothing of their secrets.
import type { Db } from '../../lib/sql.ts'
import { listEndpoints } from '../../webhooks/list-endpoints.ts'
import { WebhookEndpointList } from '../../webhooks/schemas.ts'
import { endpoint } from './contract/examples.ts'
import { defineOperation } from './operation.ts'

export default defineOperation(
  {
    name: 'listWebhookEndpoints',
    method: 'GET',
    path: '/v1/webhook-endpoints',
    auth: 'key',
    scope: 'webhooks:read',
    answers: { 200: WebhookEndpointList },
    words: {
      tag: 'Webhooks',
      summary: 'List webhook endpoints',
      description: 'The endpoints of this application.',
      examples: { answer: { items: [endpoint] } },
    },
  },
  ({ database }: { database: Db }) =>
    async ({ actor }) => ({ items: await listEndpoints(database, actor) }),
)
