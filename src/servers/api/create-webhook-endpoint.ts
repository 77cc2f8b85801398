// Makes an endpoint of the application that asks, once its URL has passed the handshake.
import { type CreateEndpointDeps, createEndpoint } from '../../webhooks/create-endpoint.ts'
import { CreateWebhookEndpointInput, NewWebhookEndpoint } from '../../webhooks/schemas.ts'
import { endpoint, secret } from './contract/examples.ts'
import { defineOperation } from './operation.ts'

export default defineOperation(
  {
    name: 'createWebhookEndpoint',
    method: 'POST',
    path: '/v1/webhook-endpoints',
    auth: 'key',
    scope: 'webhooks:write',
    body: CreateWebhookEndpointInput,
    answers: { 201: NewWebhookEndpoint },
    words: {
      tag: 'Webhooks',
      summary: 'Create a webhook endpoint',
      description:
        'Posts a `webhook.endpoint_verification` to the URL, which must answer 2xx within five seconds with JSON ' +
        'whose `challenge` is the value of `data.challenge`. Otherwise nothing is stored. The secret is shown ' +
        'only once. An application may have 100 endpoints; beyond that nothing is posted.',
      errors: ['webhook_url_invalid', 'plan_capacity_exceeded', 'webhook_verification_failed'],
      examples: {
        request: { url: endpoint.url, description: 'Production', eventTypes: ['*'] },
        answer: { endpoint, secret },
      },
    },
  },
  (deps: CreateEndpointDeps) => async (request, reply) => {
    const { endpoint, secret } = await createEndpoint(deps, request.actor, request.actor.appId, request.body)
    return reply.code(201).send({ endpoint, secret: secret.reveal() })
  },
)
