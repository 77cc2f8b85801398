// Whose an application is, and where its keys work.
import type { Environment } from '../access/actor.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

export interface App {
  id: Uuid
  tenantId: Uuid
  name: string
  environment: Environment
}

/** Undefined when there is no such application. */
export async function findApp(db: Db, id: Uuid): Promise<App | undefined> {
  return db.first(sql<App>`select tenant_id as "tenantId", id, name, environment from apps where id = ${id}`)
}
