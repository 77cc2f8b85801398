// Reads messages page by page, newest first, in an order without ties, so that following the cursor gives each one
// once, also through milliseconds. Each page costs the same however many there are. Knows nothing of HTTP.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { endPage, type PagePlace } from './page-cursor.ts'
import type { MessagePage } from './schemas.ts'
import { type SummaryRow, summaryFrom } from './summaries.ts'

type Row = SummaryRow & { seq: number }

/** Up to `limit` messages behind a place, of all mailboxes. */
export async function listMessages(db: Db, actor: TenantActor, behind: PagePlace, limit: number): Promise<MessagePage> {
  assertMay(actor, 'readMessages')
  const rows = await db.rows(sql<Row>`
    select m.id, m.direction, coalesce(s.status, 'received') as status, m.from_address, m.from_name, m.to_addresses,
      m.cc_addresses, m.subject, m.preview, m.attachment_count, coalesce(s.size_bytes, m.size_bytes) as size_bytes,
      m.message_id, m.in_reply_to, s.sent_at, m.received_at, m.created_at, m.seq, e.entries
    from messages m
    left join lateral (
      select s.status, s.size_bytes, s.sent_at from message_states s
      where s.tenant_id = m.tenant_id and s.message_id = m.id limit 1
    ) s on true
    cross join lateral (
      select case
        when m.in_sent then json_build_array(json_build_object('mailboxId', m.mailbox_id, 'folder', 'sent', 'isRead', true,
          'isStarred', false))
        else coalesce((
          select json_agg(json_build_object('mailboxId', e.mailbox_id, 'folder', e.folder, 'isRead', e.is_read,
            'isStarred', e.is_starred) order by e.mailbox_id)
          from message_entries e where e.tenant_id = m.tenant_id and e.message_id = m.id), '[]')
      end as entries
    ) e
    where m.tenant_id = ${actor.tenantId} and m.environment_id = ${actor.environmentId} and m.gone is null
      and (m.created_at, m.seq)
        < (to_timestamp(0) + ${behind.micros}::bigint * interval '1 microsecond', ${behind.seq}::bigint)
    order by m.created_at desc, m.seq desc
    limit ${limit + 1}`)
  return pageOf(rows, limit)
}

/**
 * Up to `limit` messages behind a place that one mailbox has, whatever folder it has them in: those with an entry, and
 * those that it has sent and not touched since.
 */
export async function listMailboxMessages(
  db: Db,
  actor: TenantActor,
  mailboxId: Uuid,
  behind: PagePlace,
  limit: number,
): Promise<MessagePage> {
  assertMay(actor, 'readMessages')
  const rows = await db.rows(sql<Row>`
    select m.id, m.direction, coalesce(s.status, 'received') as status, m.from_address, m.from_name, m.to_addresses,
      m.cc_addresses, m.subject, m.preview, m.attachment_count, coalesce(s.size_bytes, m.size_bytes) as size_bytes,
      m.message_id, m.in_reply_to, s.sent_at, m.received_at, m.created_at, m.seq,
      case
        when m.in_sent then json_build_array(json_build_object('mailboxId', m.mailbox_id, 'folder', 'sent', 'isRead', true,
          'isStarred', false))
        else (
          select json_agg(json_build_object('mailboxId', a.mailbox_id, 'folder', a.folder, 'isRead', a.is_read,
            'isStarred', a.is_starred) order by a.mailbox_id)
          from message_entries a where a.tenant_id = m.tenant_id and a.message_id = m.id)
      end as entries
    from (
      (
        select e.tenant_id, e.message_id as id, e.created_at, e.seq from message_entries e
        cross join lateral (
          select from messages m where m.tenant_id = e.tenant_id and m.id = e.message_id and m.gone is null limit 1
        ) there
        where e.tenant_id = ${actor.tenantId} and e.environment_id = ${actor.environmentId}
          and e.mailbox_id = ${mailboxId}
          and (e.created_at, e.seq)
            < (to_timestamp(0) + ${behind.micros}::bigint * interval '1 microsecond', ${behind.seq}::bigint)
        order by e.created_at desc, e.seq desc limit ${limit + 1}
      )
      union all
      (
        select m.tenant_id, m.id, m.created_at, m.seq from messages m
        where m.tenant_id = ${actor.tenantId} and m.environment_id = ${actor.environmentId}
          and m.mailbox_id = ${mailboxId} and m.in_sent and m.gone is null
          and (m.created_at, m.seq)
            < (to_timestamp(0) + ${behind.micros}::bigint * interval '1 microsecond', ${behind.seq}::bigint)
        order by m.created_at desc, m.seq desc limit ${limit + 1}
      )
      order by created_at desc, seq desc limit ${limit + 1}
    ) p
    join messages m on m.tenant_id = p.tenant_id and m.id = p.id
    left join lateral (
      select s.status, s.size_bytes, s.sent_at from message_states s
      where s.tenant_id = m.tenant_id and s.message_id = m.id limit 1
    ) s on true
    order by p.created_at desc, p.seq desc`)
  return pageOf(rows, limit)
}

function pageOf(rows: Row[], limit: number): MessagePage {
  const [shown, nextCursor] = endPage(rows, limit)
  return { items: shown.map(summaryFrom), nextCursor }
}

/** Whether the tenant has this mailbox. */
export async function isOwnMailbox(db: Db, actor: TenantActor, mailboxId: Uuid): Promise<boolean> {
  const row = await db.first(sql<{ id: Uuid }>`
    select id from mailboxes where tenant_id = ${actor.tenantId} and id = ${mailboxId}`)
  return row !== undefined
}
