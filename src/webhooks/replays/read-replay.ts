// Replays of all that died since an instant, to whoever may read them.
import type { TenantActor } from '../../access/actor.ts'
import { assertMay } from '../../access/permissions.ts'
import type { Db } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'
import { requireEndpoint } from '../find-endpoint.ts'
import { requireApp } from '../require-app.ts'
import type { WebhookReplay } from '../schemas.ts'
import { findReplays, requireReplay } from './find-replays.ts'
import type { ReplayScope } from './replay.ts'

/** @throws Problem not_found when it is absent or beyond the actor's reach */
export async function readReplay(db: Db, actor: TenantActor, id: Uuid): Promise<WebhookReplay> {
  assertMay(actor, 'readWebhooks')
  return requireReplay(db, actor, id)
}

/** The newest ten, newest first: of an endpoint those of its application too. @throws Problem not_found */
export async function listReplays(db: Db, actor: TenantActor, scope: ReplayScope): Promise<{ items: WebhookReplay[] }> {
  assertMay(actor, 'readWebhooks')
  if ('appId' in scope) {
    await requireApp(db, actor, scope.appId)
    return { items: await findReplays(db, actor, scope) }
  }
  const { id: endpointId, appId } = await requireEndpoint(db, actor, scope.endpointId)
  return { items: await findReplays(db, actor, { appId, endpointId }) }
}
