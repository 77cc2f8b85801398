// Shows one webhook endpoint.
import { IdParams } from '../../lib/schemas.ts'
import type { Db } from '../../lib/sql.ts'
import { readEndpoint } from '../../webhooks/read-endpoint.ts'
import { WebhookEndpointAnswer } from '../../webhooks/schemas.ts'
import { endpoint } from './contract/examples.ts'
import { defineOperation } from './operation.ts'

export default defineOperation(
  {
    name: 'getWebhookEndpoint',
    method: 'GET',
    path: '/v1/webhook-endpoints/:endpointId',
    auth: 'key',
    scope: 'webhooks:read',
    params: IdParams('endpointId'),
    answers: { 200: WebhookEndpointAnswer },
    words: {
      tag: 'Webhooks',
      summary: 'Get a webhook endpoint',
      description: 'One endpoint of this application.',
      extension: true,
      examples: { answer: { endpoint } },
    },
  },
  ({ database }: { database: Db }) =>
    async ({ actor, params: { endpointId } }) => ({ endpoint: await readEndpoint(database, actor, endpointId) }),
)
