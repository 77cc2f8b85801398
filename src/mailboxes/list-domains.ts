// The domains of a tenant, with what their last check made of them.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Domain } from './schemas.ts'

/** The tenant's domains, by name. */
export function listDomains(db: Db, actor: TenantActor): Promise<Domain[]> {
  assertMay(actor, 'readDomains')
  return db.rows(sql<Domain>`
    select d.id, d.domain, d.verified, d.health,
      (select count(*) from mailboxes m where m.tenant_id = d.tenant_id and m.domain_id = d.id) as "mailboxCount"
    from domains d
    where d.tenant_id = ${actor.tenantId} order by d.domain`)
}
