// The DKIM key of a domain, for mail that the service writes of its own accord.
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

export interface DomainKey {
  tenantId: Uuid
  id: Uuid
  selector: string
  sealed: Buffer
}

/** Whosever domain it is: one that is not proven to be somebody's has none. `domain`: in ASCII and lower case. */
export function findSigningKey(db: Db, domain: string): Promise<DomainKey | undefined> {
  return db.first(sql<DomainKey>`
    select tenant_id as "tenantId", id, dkim_selector as selector, dkim_private_key as sealed
    from domains where domain = ${domain} and verified and dkim_private_key is not null`)
}
