// Counts what mailboxes have in each folder: how many messages, how much they weigh, and how many are unread. Each message is
// counted once for each mailbox that has it, as it is at this moment, whichever of its events is followed; what is removed takes
// its part away (ADR 65, ADR 66).
import { sql, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import type { FollowedEvent } from './read-followed-events.ts'

/** What may change it: a message comes, has a size once it was received, sent or given up, and is filed and read. */
export const CHANGING_EVENTS: readonly string[] = [
  'message.received',
  'message.queued',
  'message.sent',
  'message.failed',
  'message.updated',
]

interface Held {
  tenantId: Uuid
  id: Uuid
}

/** @throws what `ranOutOfTime` knows when one of them is being ended at this moment */
export async function countInMailboxes(tx: Tx, events: readonly FollowedEvent[]): Promise<void> {
  const changing = events.filter(({ type }) => CHANGING_EVENTS.includes(type))
  if (changing.length === 0) return
  const held = await holdMessages(tx, changing)
  if (held.length > 0) await count(tx, held)
}

/** None is ended meanwhile, so that none is counted behind its end. What is read after that is how each is left. */
function holdMessages(tx: Tx, events: readonly FollowedEvent[]): Promise<Held[]> {
  return tx.rows(sql<Held>`
    select m.tenant_id as "tenantId", m.id from messages m
    where (m.tenant_id, m.environment_id, m.id) in (
      select e.tenant_id, e.environment_id, e.id
      from unnest(${events.map((event) => event.tenantId)}::uuid[], ${events.map((event) => event.environmentId)}::uuid[],
        ${events.map((event) => event.resourceId)}::uuid[]) as e (tenant_id, environment_id, id))
    for key share nowait`)
}

/**
 * Sums are put together on the way; a part that is added meanwhile stays beside them. (`offset 0` keeps the look-ups by index:
 * PostgreSQL may hash all of a table otherwise.)
 */
async function count(tx: Tx, held: readonly Held[]): Promise<void> {
  await tx.rows(sql`
    with message as materialized (
      select h.tenant_id, m.environment_id, h.id, m.mailbox_id, m.in_sent, m.size_bytes
      from unnest(${held.map(({ tenantId }) => tenantId)}::uuid[], ${held.map(({ id }) => id)}::uuid[]) as h (tenant_id, id)
      cross join lateral (
        select n.environment_id, n.mailbox_id, n.in_sent, coalesce(n.size_bytes, s.size_bytes, 0) as size_bytes
        from messages n left join message_states s on s.tenant_id = n.tenant_id and s.message_id = n.id
        where n.tenant_id = h.tenant_id and n.id = h.id and n.gone is null offset 0
      ) m
    ),
    had as materialized (
      select m.tenant_id, m.environment_id, m.id, e.mailbox_id, e.folder, m.size_bytes, e.is_unread
      from message m
      cross join lateral (
        select n.mailbox_id, n.folder, not n.is_read as is_unread from message_entries n
        where n.tenant_id = m.tenant_id and n.message_id = m.id offset 0
      ) e
      union all
      select m.tenant_id, m.environment_id, m.id, m.mailbox_id, 'sent', m.size_bytes, false from message m where m.in_sent
    ),
    noted as (
      insert into mailbox_messages as n (tenant_id, message_id, mailbox_id, environment_id, folder, size_bytes, is_unread)
      select h.tenant_id, h.id, h.mailbox_id, h.environment_id, h.folder, h.size_bytes, h.is_unread from had h
      on conflict (tenant_id, message_id, mailbox_id)
        do update set folder = excluded.folder, size_bytes = excluded.size_bytes, is_unread = excluded.is_unread
        where n.folder <> excluded.folder or n.size_bytes <> excluded.size_bytes or n.is_unread <> excluded.is_unread
    ),
    change as (
      select d.tenant_id, d.environment_id, d.mailbox_id, d.folder, sum(d.messages) as messages,
        sum(d.size_bytes) as size_bytes, sum(d.unread) as unread
      from (
        select h.tenant_id, h.environment_id, h.mailbox_id, h.folder, 1 as messages, h.size_bytes,
          h.is_unread::integer as unread
        from had h
        union all
        select h.tenant_id, h.environment_id, h.mailbox_id, n.folder, -1, -n.size_bytes, -n.is_unread::integer
        from had h
        cross join lateral (
          select c.folder, c.size_bytes, c.is_unread from mailbox_messages c
          where c.tenant_id = h.tenant_id and c.message_id = h.id and c.mailbox_id = h.mailbox_id offset 0
        ) n
      ) d
      group by d.tenant_id, d.environment_id, d.mailbox_id, d.folder
      having sum(d.messages) <> 0 or sum(d.size_bytes) <> 0 or sum(d.unread) <> 0
    ),
    former as (
      delete from mailbox_amounts a using change c
      where a.tenant_id = c.tenant_id and a.environment_id = c.environment_id and a.mailbox_id = c.mailbox_id
        and a.folder = c.folder
      returning a.tenant_id, a.environment_id, a.mailbox_id, a.folder, a.messages, a.size_bytes, a.unread
    )
    insert into mailbox_amounts (tenant_id, environment_id, mailbox_id, folder, messages, size_bytes, unread)
    select p.tenant_id, p.environment_id, p.mailbox_id, p.folder, sum(p.messages), sum(p.size_bytes), sum(p.unread)
    from (
      select f.tenant_id, f.environment_id, f.mailbox_id, f.folder, f.messages, f.size_bytes, f.unread from former f
      union all
      select c.tenant_id, c.environment_id, c.mailbox_id, c.folder, c.messages, c.size_bytes, c.unread from change c
    ) p
    group by p.tenant_id, p.environment_id, p.mailbox_id, p.folder`)
}
