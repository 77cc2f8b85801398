// Adds a webhook endpoint that has answered. The answer shows its secret this once.
import { type CreateEndpointDeps, createEndpoint } from '../../webhooks/create-endpoint.ts'
import { consoleData } from './console-data.ts'
import { AddEndpoint, ShownSecret } from './webhook-schemas.ts'

export default consoleData(
  { method: 'POST', path: '/data/webhooks', body: AddEndpoint, answer: ShownSecret, status: 201 },
  (deps: CreateEndpointDeps) =>
    async ({ actor, body: { appId, ...input } }) => {
      const { endpoint, secret } = await createEndpoint(deps, actor, appId, input)
      return { id: endpoint.id, secret: secret.reveal() }
    },
)
