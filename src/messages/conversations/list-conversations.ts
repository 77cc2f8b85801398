// The conversations of a folder, as they lie in one or all mailboxes of a user, page by page, newest first. A page walks along
// the index of the folder and costs the same however much lies there. Knows nothing of HTTP.
// specification.md#lists-of-the-webmail
import type { MailboxUser } from '../../access/actor.ts'
import { assertMay } from '../../access/permissions.ts'
import { problem } from '../../access/problem.ts'
import { type Db, sql, type Timestamp } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'
import { chosenMailboxes } from '../chosen-mailboxes.ts'
import { decodePageCursor, encodePageCursor, NEWEST, type PagePlace } from '../page-cursor.ts'
import type { Address, Folder } from '../schemas.ts'
import type { MessageStatus } from '../status.ts'

export interface ConversationRow {
  id: Uuid
  mailboxId: Uuid
  people: Address[]
  subject: string
  preview: string
  at: Timestamp
  isRead: boolean
  isStarred: boolean
  messages: number
  hasAttachments: boolean
  status: MessageStatus
}

/** How many entries are looked at first, of one mailbox and of each of many: a page of short conversations. */
const FIRST_LOOK = 200
const LEAST_LOOK = 60
/** And when they were too few for a page: of all mailboxes together that have more. */
const MOST_ENTRIES_WALKED = 6_000
/** So many of the newest messages of a conversation say how it stands. */
const MOST_LOOKED_INTO = 100
const MOST_PEOPLE = 5

/**
 * A page may have fewer than `limit`, or none, and yet a cursor.
 * @throws Problem not_found for a mailbox that is not the user's, invalid_cursor
 */
export async function listConversations(
  db: Db,
  actor: MailboxUser,
  asked: { mailboxId?: Uuid | undefined; folder: Folder; cursor?: string | undefined; limit: number },
): Promise<{ items: ConversationRow[]; nextCursor: string | null }> {
  assertMay(actor, 'readMessages')
  const { folder, cursor, limit } = asked
  const mailboxIds = chosenMailboxes(actor, asked.mailboxId)
  const behind = cursor === undefined ? NEWEST : decodePageCursor(cursor)
  if (!behind) throw problem('invalid_cursor')
  if (mailboxIds.length === 0) return { items: [], nextCursor: null }
  const where = { ...actor, mailboxIds, folder }
  const firstLook = Math.max(LEAST_LOOK, Math.floor(FIRST_LOOK / mailboxIds.length))
  let walked = await walk(db, where, behind, limit, firstLook)
  if (walked.found.length <= limit && walked.cut > 0) {
    walked = await walk(db, where, behind, limit, Math.max(firstLook, Math.floor(MOST_ENTRIES_WALKED / walked.cut)))
  }
  const shown = walked.found.slice(0, limit)
  const end = walked.found.length > limit ? shown.at(-1) : walked.end
  const nextCursor = end ? encodePageCursor(end.created_at, end.seq) : null
  return { items: await describe(db, where, shown), nextCursor }
}

interface Where {
  tenantId: Uuid
  environmentId: Uuid
  mailboxIds: Uuid[]
  folder: Folder
}

interface Placed {
  created_at: Timestamp
  seq: number
}

/** The newest message of a conversation there. */
interface Found extends Placed {
  id: Uuid
  mailbox_id: Uuid
  /** Null: it is alone. */
  conversation_id: Uuid | null
}

interface Walked {
  /** One more than `limit`, if there are so many. */
  found: Found[]
  /** How far the walk came, where it did not come to the end. */
  end: Placed | undefined
  /** In so many mailboxes it did not. */
  cut: number
}

/**
 * Goes `most` entries back in each mailbox, and as far as it has seen all of them. A conversation is where its newest message
 * lies: it is passed over when that one lies before `behind`.
 */
async function walk(
  db: Db,
  { tenantId, environmentId, mailboxIds, folder }: Where,
  behind: PagePlace,
  limit: number,
  most: number,
): Promise<Walked> {
  const rows = await db.rows(sql<Found & { cut: number | null }>`
    with walked as materialized (
      select w.id, w.mailbox_id, w.created_at, w.seq, w.position = ${most}::bigint as is_last
      from unnest(${mailboxIds}::uuid[]) as b (mailbox_id)
      cross join lateral (
        select e.id, e.mailbox_id, e.created_at, e.seq, row_number() over (order by e.created_at desc, e.seq desc) as position
        from (
          select e.message_id as id, e.mailbox_id, e.created_at, e.seq from message_entries e
          where e.tenant_id = ${tenantId} and e.environment_id = ${environmentId} and e.mailbox_id = b.mailbox_id
            and e.folder = ${folder}
            and (e.created_at, e.seq)
              < (to_timestamp(0) + ${behind.micros}::bigint * interval '1 microsecond', ${behind.seq}::bigint)
          order by e.created_at desc, e.seq desc limit ${most}
        ) e
        union all
        select m.id, m.mailbox_id, m.created_at, m.seq, row_number() over (order by m.created_at desc, m.seq desc)
        from (
          select m.id, m.mailbox_id, m.created_at, m.seq from messages m
          where ${folder} = 'sent' and m.tenant_id = ${tenantId} and m.environment_id = ${environmentId}
            and m.mailbox_id = b.mailbox_id and m.in_sent
            and (m.created_at, m.seq)
              < (to_timestamp(0) + ${behind.micros}::bigint * interval '1 microsecond', ${behind.seq}::bigint)
          order by m.created_at desc, m.seq desc limit ${most}
        ) m
      ) w
    ),
    horizon as materialized (
      select w.created_at, w.seq, count(*) over () as cut from walked w where w.is_last
      order by w.created_at desc, w.seq desc limit 1
    ),
    known as (
      select w.id, w.mailbox_id, w.created_at, w.seq, c.conversation_id,
        row_number() over (
          partition by coalesce(c.conversation_id, w.id) order by w.created_at desc, w.seq desc, w.mailbox_id) as position
      from walked w
      left join lateral (
        select c.conversation_id from conversation_messages c
        where c.tenant_id = ${tenantId} and c.message_id = w.id limit 1
      ) c on true
      where (not exists (select from horizon) or (w.created_at, w.seq) >= (select h.created_at, h.seq from horizon h))
        -- What is gone and held has left its conversation.
        and (c.conversation_id is not null or (
          select m.gone is null from messages m where m.tenant_id = ${tenantId} and m.id = w.id))
    )
    (
      select k.id, k.mailbox_id, k.created_at, k.seq, k.conversation_id, null::integer as cut
      from known k
      where k.position = 1 and (${behind === NEWEST}::boolean or k.conversation_id is null or not exists (
        select from conversation_messages o
        where o.tenant_id = ${tenantId} and o.conversation_id = k.conversation_id
          and (o.created_at, o.seq)
            >= (to_timestamp(0) + ${behind.micros}::bigint * interval '1 microsecond', ${behind.seq}::bigint)
          and (
            exists (
              select from message_entries e
              where e.tenant_id = ${tenantId} and e.message_id = o.message_id and e.folder = ${folder}
                and e.mailbox_id = any (${mailboxIds}::uuid[]))
            or (${folder} = 'sent' and exists (
              select from messages m
              where m.tenant_id = ${tenantId} and m.id = o.message_id and m.in_sent
                and m.mailbox_id = any (${mailboxIds}::uuid[]))))))
      order by k.created_at desc, k.seq desc limit ${limit + 1}
    )
    union all
    select null, null, h.created_at, h.seq, null, h.cut::integer from horizon h`)
  const end = rows.find(({ cut }) => cut !== null)
  return { found: rows.filter(({ cut }) => cut === null), end, cut: end?.cut ?? 0 }
}

/** By the newest messages of each that lie there. What of it has gone or moved meanwhile is left out. */
async function describe(
  db: Db,
  { tenantId, mailboxIds, folder }: Where,
  found: readonly Found[],
): Promise<ConversationRow[]> {
  if (found.length === 0) return []
  return db.rows(sql<ConversationRow>`
    select n.id, n.mailbox_id as "mailboxId", m.subject, m.preview, m.created_at as at, coalesce(s.status, 'received') as status,
      t.messages, t.is_read as "isRead", t.is_starred as "isStarred", t.has_attachments as "hasAttachments", t.people
    from unnest(${found.map(({ id }) => id)}::uuid[], ${found.map((one) => one.mailbox_id)}::uuid[],
      ${found.map((one) => one.conversation_id)}::uuid[]) with ordinality as n (id, mailbox_id, conversation_id, position)
    cross join lateral (
      select m.subject, m.preview, m.created_at, m.seq from messages m
      where m.tenant_id = ${tenantId} and m.id = n.id and m.gone is null limit 1
    ) m
    left join lateral (
      select s.status from message_states s where s.tenant_id = ${tenantId} and s.message_id = n.id limit 1
    ) s on true
    cross join lateral (
      with lying as materialized (
        select o.created_at, o.seq, o.is_read, o.is_starred, a.attachment_count, a.from_address, a.from_name,
          a.to_addresses, a.cc_addresses, a.bcc_addresses
        from (
          (
            select o.message_id as id, o.created_at, o.seq, e.is_read, e.is_starred
            from conversation_messages o
            cross join lateral (
              select bool_and(e.is_read) as is_read, bool_or(e.is_starred) as is_starred
              from (
                select e.is_read, e.is_starred from message_entries e
                where e.tenant_id = ${tenantId} and e.message_id = o.message_id and e.folder = ${folder}
                  and e.mailbox_id = any (${mailboxIds}::uuid[])
                union all
                select true, false from messages i
                where ${folder} = 'sent' and i.tenant_id = ${tenantId} and i.id = o.message_id and i.in_sent
                  and i.mailbox_id = any (${mailboxIds}::uuid[])
              ) e
              having count(*) > 0
            ) e
            where o.tenant_id = ${tenantId} and o.conversation_id = n.conversation_id
            order by o.created_at desc, o.seq desc limit ${MOST_LOOKED_INTO}
          )
          union all
          select n.id, m.created_at, m.seq, e.is_read, e.is_starred
          from (
            select e.is_read, e.is_starred from message_entries e
            where e.tenant_id = ${tenantId} and e.message_id = n.id and e.folder = ${folder}
              and e.mailbox_id = any (${mailboxIds}::uuid[])
            union all
            select true, false from messages i
            where ${folder} = 'sent' and i.tenant_id = ${tenantId} and i.id = n.id and i.in_sent
              and i.mailbox_id = any (${mailboxIds}::uuid[])
          ) e
          where n.conversation_id is null
        ) o
        cross join lateral (
          select a.attachment_count, a.from_address, a.from_name, a.to_addresses, a.cc_addresses, a.bcc_addresses
          from messages a where a.tenant_id = ${tenantId} and a.id = o.id limit 1
        ) a
      )
      select count(distinct l.seq)::integer as messages, bool_and(l.is_read) as is_read, bool_or(l.is_starred) as is_starred,
        bool_or(l.attachment_count > 0) as has_attachments, coalesce((
          select json_agg(json_build_object('address', f.address, 'name', f.name) order by f.created_at, f.seq, f.position)
          from (
            select f.address, f.name, f.created_at, f.seq, f.position
            from (
              select distinct on (lower(p.address)) p.address, p.name, l.created_at, l.seq, p.position
              from lying l
              cross join lateral (
                select l.from_address as address, l.from_name as name, 0 as position
                where ${folder} <> 'sent' and l.from_address is not null
                union all
                select r.one ->> 'address', r.one ->> 'name', r.position
                from (
                  (
                    select r.one, r.position from json_array_elements(l.to_addresses) with ordinality as r (one, position)
                    limit ${MOST_PEOPLE}
                  )
                  union all
                  (
                    select r.one, 10000 + r.position
                    from json_array_elements(l.cc_addresses) with ordinality as r (one, position) limit ${MOST_PEOPLE}
                  )
                  union all
                  (
                    select r.one, 20000 + r.position
                    from json_array_elements(l.bcc_addresses) with ordinality as r (one, position) limit ${MOST_PEOPLE}
                  )
                ) r
                where ${folder} = 'sent'
              ) p
              order by lower(p.address), l.created_at, l.seq, p.position
            ) f
            order by f.created_at, f.seq, f.position limit ${MOST_PEOPLE}
          ) f
        ), '[]') as people
      from lying l
    ) t
    where t.messages > 0
    order by n.position`)
}
