// The domains of a tenant, with what their last check made of them.
import type { Principal } from '../access/principal.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Domain } from './schemas.ts'

/** The tenant's domains, by name. */
export function listDomains(db: Db, principal: Principal): Promise<Domain[]> {
  return db.rows(sql<Domain>`
    select d.id, d.domain, d.verified, d.health,
      (select count(*) from mailboxes m where m.tenant_id = d.tenant_id and m.domain_id = d.id) as "mailboxCount"
    from domains d
    where d.tenant_id = ${principal.tenantId} order by d.domain`)
}
