// An application whose endpoints an actor may act on.
import type { Realm, TenantActor } from '../access/actor.ts'
import { problem } from '../access/problem.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** An application acts on its own, others on those of the environment. @throws Problem not_found */
export async function requireApp(db: Db, actor: TenantActor, appId: Uuid): Promise<void> {
  const isIts = actor.kind === 'application' ? actor.appId === appId : await isInEnvironment(db, actor, appId)
  if (!isIts) throw problem('not_found')
}

/** Production has many applications, a sandbox is one. */
async function isInEnvironment(db: Db, { tenantId, environmentId }: Realm, appId: Uuid): Promise<boolean> {
  const row = await db.first(sql<{ id: Uuid }>`
    select id from apps
    where tenant_id = ${tenantId} and id = ${appId}
      and case environment when 'production' then tenant_id else id end = ${environmentId}`)
  return row !== undefined
}
