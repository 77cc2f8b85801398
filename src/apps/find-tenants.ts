// The tenants as the operator sees them.
import { type Db, sql, type Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

export interface ListedTenant {
  id: Uuid
  name: string
  plan: string
  status: 'active' | 'suspended'
  createdAt: Timestamp
}

/** All, or those of the id or of the name, by name. Names need not differ. */
export function findTenants(db: Db, { id, name }: { id?: Uuid; name?: string } = {}): Promise<ListedTenant[]> {
  return db.rows(sql<ListedTenant>`
    select id, name, plan, status, created_at as "createdAt" from tenants
    where (${id ?? null}::uuid is null or id = ${id ?? null}) and (${name ?? null}::text is null or name = ${name ?? null})
    order by name, id`)
}
