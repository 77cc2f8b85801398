// Has events forget an address: they keep their place, id, type and resource, and say no more than that they are erased (ADR 76).
import { type Db, sql, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** Whatever its events said of whom. */
export async function eraseEventsOfMessage(tx: Tx, tenantId: Uuid, messageId: Uuid): Promise<void> {
  await tx.rows(sql`
    update events e set data = erased_data(e.data)
    where e.tenant_id = ${tenantId} and e.resource_id = ${messageId} and e.resource_type = 'message'
      and not e.data::jsonb ? 'erased'`)
}

/** How many are looked at by one statement. */
const LOOKED_AT = 20_000

/**
 * Of events of messages that are gone, and of synthetic ones: each that names the address. `pattern`: as `addressPattern` gives it;
 * `tenantId`: null for all. Gives, page by page, how many it was.
 */
export async function* eraseEventsNaming(db: Db, tenantId: Uuid | null, pattern: string): AsyncGenerator<number> {
  let after: Uuid | null = '00000000-0000-0000-0000-000000000000'
  while (after !== null) {
    const page: { last: Uuid | null; erased: number } | undefined = await db.first(sql<{
      last: Uuid | null
      erased: number
    }>`
      with looked_at as materialized (
        select e.id from events e where e.id > ${after} order by e.id limit ${LOOKED_AT}
      ),
      erased as (
        update events e set data = erased_data(e.data)
        from looked_at l
        where e.id = l.id and e.tenant_id = coalesce(${tenantId}, e.tenant_id) and e.resource_type = 'message'
          and e.data::text ~* ${pattern}
        returning e.id
      )
      select (select l.id from looked_at l order by l.id desc limit 1) as last,
        (select count(*) from erased)::integer as erased`)
    if (page && page.erased > 0) yield page.erased
    after = page?.last ?? null
  }
}
