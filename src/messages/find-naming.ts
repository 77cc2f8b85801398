// Finds messages that name an address, in whatever is kept of them. For commands: it looks through all there are.
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

export interface NamingMessage {
  tenantId: Uuid
  environmentId: Uuid
  id: Uuid
  /** Gone already, and kept by a legal hold alone. */
  isKept: boolean
}

/** How many are looked at by one statement. */
const LOOKED_AT = 5_000

/** `pattern`: as `addressPattern` gives it; `tenantId`: null for all. Page by page, in the order of their ids. */
export async function* messagesNaming(db: Db, tenantId: Uuid | null, pattern: string): AsyncGenerator<NamingMessage[]> {
  let after: Uuid | null = '00000000-0000-0000-0000-000000000000'
  while (after !== null) {
    const page: { last: Uuid | null; found: NamingMessage[] | null } | undefined = await db.first(sql<{
      last: Uuid | null
      found: NamingMessage[] | null
    }>`
      with looked_at as materialized (
        select m.tenant_id, m.id from messages m where m.id > ${after} order by m.id limit ${LOOKED_AT}
      )
      select (select l.id from looked_at l order by l.id desc limit 1) as last, (
        select json_agg(json_build_object('tenantId', m.tenant_id, 'environmentId', m.environment_id, 'id', m.id,
          'isKept', m.gone is not null) order by m.id)
        from looked_at l
        join messages m on m.tenant_id = l.tenant_id and m.id = l.id
        where m.tenant_id = coalesce(${tenantId}, m.tenant_id) and (
          m::text ~* ${pattern}
          or exists (
            select from message_states s where s.tenant_id = m.tenant_id and s.message_id = m.id and s::text ~* ${pattern})
          or exists (
            select from message_contents c
            where c.tenant_id = m.tenant_id and c.message_id = m.id and c::text ~* ${pattern})
          or exists (
            select from submission_tries t
            where t.tenant_id = m.tenant_id and t.message_id = m.id and t::text ~* ${pattern})
          or exists (
            select from message_attachments h
            join attachments a on a.tenant_id = h.tenant_id and a.id = h.attachment_id
            where h.tenant_id = m.tenant_id and h.message_id = m.id and a.filename ~* ${pattern}))
      ) as found`)
    if (page?.found) yield page.found
    after = page?.last ?? null
  }
}
