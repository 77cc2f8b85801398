// Tries an endpoint now, with a signed request that is no event.
import { IdParams } from '../../lib/schemas.ts'
import { WebhookTestResult } from '../../webhooks/schemas.ts'
import { type TestEndpointDeps, testEndpoint } from '../../webhooks/test-endpoint.ts'
import { EVENT } from './contract/examples.ts'
import { defineOperation } from './operation.ts'

export default defineOperation(
  {
    name: 'testWebhookEndpoint',
    method: 'POST',
    path: '/v1/webhook-endpoints/:endpointId/test',
    auth: 'key',
    scope: 'webhooks:write',
    params: IdParams('endpointId'),
    answers: { 200: WebhookTestResult },
    words: {
      tag: 'Webhooks',
      summary: 'Send a test request',
      description: 'Posts one signed `webhook.endpoint_test` at once and returns the result. It does not count.',
      extension: true,
      examples: {
        answer: { eventId: EVENT, delivered: true, statusCode: 200, error: null, durationMs: 31, answer: null },
      },
    },
  },
  (deps: TestEndpointDeps) =>
    ({ actor, params: { endpointId } }) =>
      testEndpoint(deps, actor, endpointId),
)
