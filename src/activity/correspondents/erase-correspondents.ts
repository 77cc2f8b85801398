// Has mailboxes forget somebody whom they have written with. Who notes others at this moment is waited for.
import { type Database, sql } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'

/** `pattern`: as `addressPattern` gives it; `tenantId`: null for all. Gives how many it was. */
export function eraseCorrespondents(database: Database, tenantId: Uuid | null, pattern: string): Promise<number> {
  return database.transaction(async (tx) => {
    await tx.rows(sql`
      select from searched_mailboxes s
      where s.tenant_id = coalesce(${tenantId}, s.tenant_id) and exists (
        select from correspondents c
        where c.tenant_id = s.tenant_id and c.mailbox_id = s.mailbox_id and c::text ~* ${pattern})
      order by s.tenant_id, s.mailbox_id for no key update`)
    const rows = await tx.rows(sql<{ count: number }>`
      with gone as (
        delete from correspondents c
        where c.tenant_id = coalesce(${tenantId}, c.tenant_id) and c::text ~* ${pattern}
        returning c.tenant_id, c.mailbox_id, c.key
      ),
      words as (
        delete from correspondent_words w using gone g
        where w.tenant_id = g.tenant_id and w.mailbox_id = g.mailbox_id and w.key = g.key
      ),
      counted as (
        update searched_mailboxes s set correspondents = greatest(0, s.correspondents - g.count)
        from (select g.tenant_id, g.mailbox_id, count(*)::integer as count from gone g group by g.tenant_id, g.mailbox_id) g
        where s.tenant_id = g.tenant_id and s.mailbox_id = g.mailbox_id
      )
      select count(*)::integer as count from gone`)
    return rows[0]?.count ?? 0
  })
}
