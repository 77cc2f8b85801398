import { recordAct } from '../../audit/record.ts'
import { IdParams } from '../../lib/schemas.ts'
import { act, type EndpointDeps, testEndpoint } from '../../webhooks/manage-endpoints.ts'
import { WebhookTestResult } from '../../webhooks/schemas.ts'
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
      examples: { answer: { eventId: EVENT, delivered: true, statusCode: 200, error: null, durationMs: 31 } },
    },
  },
  (deps: EndpointDeps) => async (request) => {
    const { actor, params } = request
    const result = await testEndpoint(deps, actor, params.endpointId)
    await deps.database.transaction((tx) => recordAct(tx, actor, act('testWebhookEndpoint', params.endpointId)))
    return result
  },
)
