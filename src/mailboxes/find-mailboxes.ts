// Mailboxes as the operator sees them, whoever's they are.
import { type Db, sql, type Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { mailboxAddress } from './mailbox-address.ts'
import type { StoredMailbox } from './stored-mailbox.ts'

export interface ListedMailbox extends StoredMailbox {
  createdAt: Timestamp
}

/** Those of the id, of the address and of the tenant, each as far as it is given, by address. */
export function findMailboxes(
  db: Db,
  { id, address, tenantId }: { id?: Uuid; address?: string; tenantId?: Uuid },
): Promise<ListedMailbox[]> {
  const wanted = address === undefined ? null : (mailboxAddress(address) ?? address)
  return db.rows(sql<ListedMailbox>`
    select id, tenant_id as "tenantId", address, display_name as "displayName", status, created_at as "createdAt"
    from mailboxes
    where (${id ?? null}::uuid is null or id = ${id ?? null}) and (${wanted}::text is null or address = ${wanted})
      and (${tenantId ?? null}::uuid is null or tenant_id = ${tenantId ?? null})
    order by address`)
}
