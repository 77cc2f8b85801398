// What an invitation is to: shown to whoever has its link.
import type { PersonRole } from '../access/permissions.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { FoundLink } from '../users/links.ts'

export interface InvitedTo {
  tenantName: string
  role: PersonRole
}

/** Undefined when it was taken back, or the tenant is suspended. */
export function readInvitation(db: Db, { forTenantId, userId }: FoundLink): Promise<InvitedTo | undefined> {
  return db.first(sql<InvitedTo>`
    select t.name as "tenantName", m.role
    from memberships m join tenants t on t.id = m.tenant_id
    where m.tenant_id = ${forTenantId} and m.person_id = ${userId} and t.status = 'active'`)
}
