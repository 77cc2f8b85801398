// How many messages the folders of a user's mailboxes have, and how many of them are unread. What was followed is summed up, what
// was not yet is looked at: so the figures are those of this moment, and cost the same however many messages there are (ADR 66).
import type { MailboxUser } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { CHANGING_EVENTS } from './count-in-mailboxes.ts'

export interface FolderCounts {
  messages: number
  unread: number
}

/** How many events that were not followed yet are looked at, at most. What lies beyond shows when it is followed. */
export const MOST_EVENTS_LOOKED_AT = 1_000

/** By mailbox, of each that the user has, and by folder. What nothing lies in may be absent. */
export async function countInFolders(db: Db, actor: MailboxUser): Promise<Map<Uuid, Map<string, FolderCounts>>> {
  assertMay(actor, 'readMessages')
  const mailboxIds = [...actor.mailboxes.keys()]
  const rows = await db.rows(sql<FolderCounts & { mailboxId: Uuid; folder: string }>`
    with behind as materialized (
      select v.type, v.resource_id
      from (select) one
      left join lateral (
        select c.epoch, c.xid, c.seq from activity_cursors c
        where c.tenant_id = ${actor.tenantId} and c.environment_id = ${actor.environmentId} order by c.build limit 1
      ) c on true
      cross join lateral (
        select e.type, e.resource_id from events e
        where e.tenant_id = ${actor.tenantId} and e.environment_id = ${actor.environmentId}
          and (e.epoch, e.xid, e.seq) > (coalesce(c.epoch, 0), coalesce(c.xid, '0'::xid8), coalesce(c.seq, 0))
        order by e.epoch, e.xid, e.seq limit ${MOST_EVENTS_LOOKED_AT}
      ) v
    ),
    changed as materialized (
      select distinct b.resource_id as id from behind b where b.type = any (${CHANGING_EVENTS}::text[])
    ),
    part as (
      select a.mailbox_id, a.folder, a.messages, a.unread
      from mailbox_amounts a
      where a.tenant_id = ${actor.tenantId} and a.environment_id = ${actor.environmentId}
        and a.mailbox_id = any (${mailboxIds}::uuid[])
      union all
      select e.mailbox_id, e.folder, 1, e.is_unread::integer
      from changed c
      cross join lateral (
        select m.id, m.mailbox_id, m.in_sent from messages m
        where m.tenant_id = ${actor.tenantId} and m.environment_id = ${actor.environmentId} and m.id = c.id and m.gone is null
        limit 1
      ) m
      cross join lateral (
        select n.mailbox_id, n.folder, not n.is_read as is_unread from message_entries n
        where n.tenant_id = ${actor.tenantId} and n.message_id = m.id
        union all
        select m.mailbox_id, 'sent', false where m.in_sent
        offset 0
      ) e
      where e.mailbox_id = any (${mailboxIds}::uuid[])
      union all
      select n.mailbox_id, n.folder, -1, -n.is_unread::integer
      from changed c
      cross join lateral (
        select k.mailbox_id, k.folder, k.is_unread from mailbox_messages k
        where k.tenant_id = ${actor.tenantId} and k.message_id = c.id
        offset 0
      ) n
      where n.mailbox_id = any (${mailboxIds}::uuid[])
    )
    select p.mailbox_id as "mailboxId", p.folder, sum(p.messages)::bigint as messages, sum(p.unread)::bigint as unread
    from part p
    group by p.mailbox_id, p.folder`)
  const counts = new Map(mailboxIds.map((id) => [id, new Map<string, FolderCounts>()]))
  for (const { mailboxId, folder, ...counted } of rows) counts.get(mailboxId)?.set(folder, counted)
  return counts
}
