// Another secret for a webhook endpoint. The answer shows it this once.
import { IdParams } from '../../lib/schemas.ts'
import { type RotateSecretDeps, rotateSecret } from '../../webhooks/rotate-secret.ts'
import { consoleData } from './console-data.ts'
import { ShownRotation } from './webhook-schemas.ts'

export default consoleData(
  { method: 'POST', path: '/data/webhooks/:endpointId/secret', params: IdParams('endpointId'), answer: ShownRotation },
  (deps: RotateSecretDeps) =>
    async ({ actor, params: { endpointId } }) => {
      const { secret, previousUntil } = await rotateSecret(deps, actor, endpointId)
      return { secret: secret.reveal(), previousUntil }
    },
)
