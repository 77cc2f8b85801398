// Where an application's keys work.
import type { Environment } from '../access/actor.ts'
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
