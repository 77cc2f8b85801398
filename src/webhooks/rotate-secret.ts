// Gives an endpoint a new secret, beside which the one before holds for a while.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { problem } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import type { Secret } from '../lib/secret.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { type Database, sql, type Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { lockEndpoint, requireEndpoint } from './find-endpoint.ts'
import type { WebhookEndpoint } from './schemas.ts'
import { makeWebhookSecret } from './signature.ts'
import { sealSecret } from './signing-keys.ts'

/** How long both secrets sign. specification.md#rotation-of-a-secret */
const OVERLAP_SECONDS = 24 * 60 * 60

export interface RotateSecretDeps {
  database: Database
  box: SecretBox
}

export interface RotatedSecret {
  endpoint: WebhookEndpoint
  secret: Secret
  /** Until then the one before signs too. */
  previousUntil: Timestamp
}

/** The secret is known here and never again. @throws Problem not_found, sign_in_again */
export async function rotateSecret(deps: RotateSecretDeps, actor: TenantActor, id: Uuid): Promise<RotatedSecret> {
  assertMay(actor, 'showWebhookSecrets')
  const secret = makeWebhookSecret()
  const sealed = sealSecret(deps.box, actor.tenantId, id, secret)
  return deps.database.transaction(async (tx) => {
    const { tenantId } = await lockEndpoint(tx, actor, id)
    const [rotated] = await tx.rows(sql<{ previousUntil: Timestamp }>`
      update webhook_endpoints
      set previous_secret = secret, secret = ${sealed},
        previous_secret_until = clock_timestamp() + make_interval(secs => ${OVERLAP_SECONDS})
      where tenant_id = ${tenantId} and id = ${id}
      returning previous_secret_until as "previousUntil"`)
    if (!rotated) throw problem('not_found')
    const operation = actor.kind === 'application' ? 'rotateWebhookEndpointSecret' : 'endpoint.rotate-secret'
    await recordAct(tx, actor, { operation, resourceType: 'webhook_endpoint', resourceId: id })
    return { endpoint: await requireEndpoint(tx, actor, id), secret, previousUntil: rotated.previousUntil }
  })
}
