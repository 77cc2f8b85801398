// Applications as the operator sees them, whoever's they are.
import type { Environment, Realm } from '../access/actor.ts'
import { type Db, sql, type Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

export interface ListedApp {
  id: Uuid
  tenantId: Uuid
  tenantName: string
  name: string
  environment: Environment
  status: 'active' | 'suspended'
  createdAt: Timestamp
}

/** Those of the id, of the name and of the tenant, each as far as it is given, by name. Names need not differ. */
export function findApps(
  db: Db,
  { id, name, tenantId }: { id?: Uuid; name?: string; tenantId?: Uuid | undefined },
): Promise<ListedApp[]> {
  return db.rows(sql<ListedApp>`
    select a.id, a.tenant_id as "tenantId", t.name as "tenantName", a.name, a.environment, a.status,
      a.created_at as "createdAt"
    from apps a join tenants t on t.id = a.tenant_id
    where (${id ?? null}::uuid is null or a.id = ${id ?? null})
      and (${name ?? null}::text is null or a.name = ${name ?? null})
      and (${tenantId ?? null}::uuid is null or a.tenant_id = ${tenantId ?? null})
    order by a.name, a.id`)
}

/** Whose data an application's keys see. */
export function realmOfApp({ id, tenantId, environment }: ListedApp): Realm {
  return { tenantId, environmentId: environment === 'production' ? tenantId : id }
}
