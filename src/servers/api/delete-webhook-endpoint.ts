// Removes an endpoint, and with it what is still to be delivered there.
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { deleteEndpoint } from '../../webhooks/delete-endpoint.ts'
import { defineOperation } from './operation.ts'

export default defineOperation(
  {
    name: 'deleteWebhookEndpoint',
    method: 'DELETE',
    path: '/v1/webhook-endpoints/:endpointId',
    auth: 'key',
    scope: 'webhooks:write',
    params: IdParams('endpointId'),
    answers: { 204: null },
    words: {
      tag: 'Webhooks',
      summary: 'Delete a webhook endpoint',
      description: 'Its deliveries end with it.',
      extension: true,
    },
  },
  ({ database }: { database: Database }) =>
    async (request, reply) => {
      await deleteEndpoint(database, request.actor, request.params.endpointId)
      return reply.code(204).send()
    },
)
