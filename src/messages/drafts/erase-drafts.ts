// Discards drafts that name an address which is erased, also those that are due: their jobs find nothing.
import { productionOf } from '../../access/actor.ts'
import { type Database, sql } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'
import { releaseAttachments } from './hold-attachments.ts'

/** `pattern`: as `addressPattern` gives it; `tenantId`: null for all. Gives how many it was. */
export async function eraseDrafts(database: Database, tenantId: Uuid | null, pattern: string): Promise<number> {
  const found = await database.rows(sql<{ tenantId: Uuid; id: Uuid }>`
    select d.tenant_id as "tenantId", d.id from drafts d
    where d.tenant_id = coalesce(${tenantId}, d.tenant_id) and d::text ~* ${pattern} order by d.tenant_id, d.id`)
  let discarded = 0
  for (const draft of found) {
    discarded += await database.transaction(async (tx) => {
      const locked = await tx.rows(sql<{ id: Uuid }>`
        select id from drafts where tenant_id = ${draft.tenantId} and id = ${draft.id} for update`)
      if (locked.length === 0) return 0
      await releaseAttachments(tx, productionOf(draft.tenantId), draft.id)
      await tx.rows(sql`
        insert into ended_drafts (tenant_id, id, mailbox_id)
        select tenant_id, id, mailbox_id from drafts where tenant_id = ${draft.tenantId} and id = ${draft.id}`)
      await tx.rows(sql`delete from drafts where tenant_id = ${draft.tenantId} and id = ${draft.id}`)
      return 1
    })
  }
  return discarded
}
