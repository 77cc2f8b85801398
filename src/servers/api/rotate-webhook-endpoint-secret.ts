// Gives an endpoint another secret, which is shown this once.
import { IdParams } from '../../lib/schemas.ts'
import { type RotateSecretDeps, rotateSecret } from '../../webhooks/rotate-secret.ts'
import { NewWebhookEndpoint } from '../../webhooks/schemas.ts'
import { endpoint, secret } from './contract/examples.ts'
import { defineOperation } from './operation.ts'

export default defineOperation(
  {
    name: 'rotateWebhookEndpointSecret',
    method: 'POST',
    path: '/v1/webhook-endpoints/:endpointId/rotate-secret',
    auth: 'key',
    scope: 'webhooks:write',
    params: IdParams('endpointId'),
    answers: { 200: NewWebhookEndpoint },
    words: {
      tag: 'Webhooks',
      summary: 'Rotate the secret',
      description:
        'For 24 hours `webhook-signature` carries the signatures of both secrets, and `Service-Webhook-Signature` that of ' +
        'the new one.',
      extension: true,
      examples: { answer: { endpoint, secret } },
    },
  },
  (deps: RotateSecretDeps) =>
    async ({ actor, params: { endpointId } }) => {
      const { endpoint, secret } = await rotateSecret(deps, actor, endpointId)
      return { endpoint, secret: secret.reveal() }
    },
)
