// Changes an endpoint, or switches it on or off.
import { IdParams } from '../../lib/schemas.ts'
import { UpdateWebhookEndpointInput, WebhookEndpointAnswer } from '../../webhooks/schemas.ts'
import { type UpdateEndpointDeps, updateEndpoint } from '../../webhooks/update-endpoint.ts'
import { endpoint } from './contract/examples.ts'
import { defineOperation } from './operation.ts'

export default defineOperation(
  {
    name: 'updateWebhookEndpoint',
    method: 'PATCH',
    path: '/v1/webhook-endpoints/:endpointId',
    auth: 'key',
    scope: 'webhooks:write',
    params: IdParams('endpointId'),
    body: UpdateWebhookEndpointInput,
    answers: { 200: WebhookEndpointAnswer },
    words: {
      tag: 'Webhooks',
      summary: 'Change a webhook endpoint',
      description:
        'A new URL must pass the verification again. Enabling sets the counter of failures to 0; disabling makes ' +
        'pending deliveries dead.',
      extension: true,
      errors: ['webhook_url_invalid', 'webhook_verification_failed'],
      examples: { request: { eventTypes: ['message.bounced', 'message.failed'] }, answer: { endpoint } },
    },
  },
  (deps: UpdateEndpointDeps) =>
    async ({ actor, params, body }) => {
      const endpoint = await updateEndpoint(deps, actor, params.endpointId, body)
      return { endpoint }
    },
)
