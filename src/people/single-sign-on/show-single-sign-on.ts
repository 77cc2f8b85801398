// A tenant's provider, without what is secret.
import type { TenantActor } from '../../access/actor.ts'
import { assertMay } from '../../access/permissions.ts'
import { type Db, sql, type Timestamp } from '../../lib/sql.ts'

export interface ShownSingleSignOn {
  issuer: string
  clientId: string
  setAt: Timestamp
}

/** Undefined when there is none. @throws Problem not_allowed */
export function showSingleSignOn(db: Db, actor: TenantActor): Promise<ShownSingleSignOn | undefined> {
  assertMay(actor, 'readPeople')
  return db.first(sql<ShownSingleSignOn>`
    select issuer, client_id as "clientId", set_at as "setAt" from single_sign_on where tenant_id = ${actor.tenantId}`)
}
