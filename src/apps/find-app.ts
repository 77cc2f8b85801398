// Whose an application is, and where its keys work.
import type { Environment, Realm } from '../access/actor.ts'
import { absent } from '../access/problem.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** The environment of one of the tenant's applications. @throws Problem not_found */
export async function environmentOfApp(db: Db, tenantId: Uuid, id: Uuid): Promise<Environment> {
  const app = await db.first(sql<{ environment: Environment }>`
    select environment from apps where tenant_id = ${tenantId} and id = ${id}`)
  if (!app) throw absent('application')
  return app.environment
}

/** Whose data an application's keys see, for the operator. @throws Problem not_found */
export async function ownerOfApp(db: Db, id: Uuid): Promise<Realm> {
  const app = await db.first(sql<{ tenantId: Uuid; environment: Environment }>`
    select tenant_id as "tenantId", environment from apps where id = ${id}`)
  if (!app) throw absent('application')
  return { tenantId: app.tenantId, environmentId: app.environment === 'production' ? app.tenantId : id }
}
