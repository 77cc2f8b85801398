// The messages of conversations. Whose mailboxes have them is for those who ask to look at.
import type { Realm } from '../../access/actor.ts'
import { type Db, sql } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'

/**
 * The given messages and all others of their conversations, each once, newest first; those that are alone are given back as
 * they are, also when there is no such message. At most `most`: of more, the newest.
 */
export async function conversationMembers(
  db: Db,
  { tenantId }: Realm,
  messageIds: readonly Uuid[],
  most: number,
): Promise<Uuid[]> {
  const rows = await db.rows(sql<{ id: Uuid }>`
    select x.id
    from (
      select distinct coalesce(o.message_id, n.id) as id, o.created_at, o.seq
      from unnest(${[...messageIds]}::uuid[]) as n (id)
      left join lateral (
        select c.conversation_id from conversation_messages c
        where c.tenant_id = ${tenantId} and c.message_id = n.id limit 1
      ) c on true
      left join lateral (
        select o.message_id, o.created_at, o.seq from conversation_messages o
        where o.tenant_id = ${tenantId} and o.conversation_id = c.conversation_id
        order by o.created_at desc, o.seq desc limit ${most}
      ) o on true
    ) x
    order by x.created_at desc nulls first, x.seq desc
    limit ${most}`)
  return rows.map((row) => row.id)
}
