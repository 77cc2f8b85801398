// What an invitation is to: shown to whoever has its link.
import type { PersonRole } from '../access/permissions.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { FoundLink } from '../users/links.ts'

export interface InvitedTo {
  tenantName: string
  role: PersonRole
  /** Whether it may be taken up by the tenant's single sign-on. */
  singleSignOn: boolean
}

/** Undefined when it was taken back, or the tenant is suspended. */
export function readInvitation(db: Db, { forTenantId, userId }: FoundLink): Promise<InvitedTo | undefined> {
  return db.first(sql<InvitedTo>`
    select t.name as "tenantName", m.role,
      exists (select from single_sign_on s where s.tenant_id = t.id) as "singleSignOn"
    from memberships m join tenants t on t.id = m.tenant_id
    where m.tenant_id = ${forTenantId} and m.person_id = ${userId} and t.status = 'active'`)
}
