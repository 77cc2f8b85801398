// The tenants that a person may look at.
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import type { FoundSession } from '../users/sessions.ts'

export interface OwnTenant {
  id: Uuid
  name: string
  role: 'owner' | 'admin'
}

/** By name. Whom a tenant's provider vouches for sees that tenant alone. */
export function listOwnTenants(
  db: Db,
  { userId, onlyTenantId }: Pick<FoundSession, 'userId' | 'onlyTenantId'>,
): Promise<OwnTenant[]> {
  return db.rows(sql<OwnTenant>`
    select t.id, t.name, m.role from memberships m join tenants t on t.id = m.tenant_id
    where m.person_id = ${userId} and m.joined_at is not null and t.status = 'active'
      and (${onlyTenantId}::uuid is null or t.id = ${onlyTenantId})
    order by t.name, t.id`)
}
