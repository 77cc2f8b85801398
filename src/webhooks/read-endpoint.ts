// One endpoint, to whoever may read it.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import type { Db } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { type KnownEndpoint, requireEndpoint } from './find-endpoint.ts'

/** @throws Problem not_found when it is absent, deleted, or beyond the actor's reach */
export async function readEndpoint(db: Db, actor: TenantActor, id: Uuid): Promise<KnownEndpoint> {
  assertMay(actor, 'readWebhooks')
  return requireEndpoint(db, actor, id)
}
