// Changes a webhook endpoint; a new URL has to answer first.
import { IdParams } from '../../lib/schemas.ts'
import { UpdateWebhookEndpointInput } from '../../webhooks/schemas.ts'
import { type UpdateEndpointDeps, updateEndpoint } from '../../webhooks/update-endpoint.ts'
import { consoleData } from './console-data.ts'

export default consoleData(
  {
    method: 'PATCH',
    path: '/data/webhooks/:endpointId',
    params: IdParams('endpointId'),
    body: UpdateWebhookEndpointInput,
    answer: null,
  },
  (deps: UpdateEndpointDeps) =>
    async ({ actor, params: { endpointId }, body }) => {
      await updateEndpoint(deps, actor, endpointId, body)
    },
)
