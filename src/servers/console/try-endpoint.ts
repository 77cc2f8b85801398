// Tries whether a webhook endpoint takes what it is sent, now.
import { IdParams } from '../../lib/schemas.ts'
import { type TestEndpointDeps, testEndpoint } from '../../webhooks/test-endpoint.ts'
import { consoleData } from './console-data.ts'
import { TestedEndpoint } from './webhook-schemas.ts'

export default consoleData(
  { method: 'POST', path: '/data/webhooks/:endpointId/test', params: IdParams('endpointId'), answer: TestedEndpoint },
  (deps: TestEndpointDeps) =>
    ({ actor, params: { endpointId } }) =>
      testEndpoint(deps, actor, endpointId),
)
