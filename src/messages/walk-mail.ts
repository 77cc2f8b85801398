// What a page of a user's search looks at: along the index on words, or along that of what is starred, not read or in a folder,
// whichever has the fewest messages. Where a message lies and how it is flagged is looked at as it is now.
import type { Realm } from '../access/actor.ts'
import { type Db, sql, type Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import type { PagePlace } from './page-cursor.ts'
import { FOLDERS, type Folder } from './schemas.ts'
import type { SearchQuery } from './search-query.ts'
import type { MessageStatus } from './status.ts'

/** How many are looked at for one page. specification.md#search-in-the-webmail */
export const MOST_LOOKED_AT = 5_000

interface Place {
  id: Uuid
  created_at: Timestamp
  seq: number
  /** How many were looked at. */
  looked: number
}

export interface MailRow extends Place {
  matches: true
  mailbox_id: Uuid
  folder: Folder
  is_read: boolean
  is_starred: boolean
  direction: 'inbound' | 'outbound'
  status: MessageStatus
  from_address: string | null
  from_name: string | null
  subject: string
  preview: string
  attachment_count: number
}

export type MailIndex = 'words' | 'starred' | 'unread' | 'folders'

/**
 * The index that a page walks along at first, and the one that it goes on with where that finds little. Words narrow it down most,
 * unless there are so few that are starred, or not read, or lie in those folders, that all of them are looked at for one page. A word
 * that many messages have may be rarer among those than they are.
 */
export async function indexesFor(
  db: Db,
  actor: Realm,
  mailboxIds: readonly Uuid[],
  query: SearchQuery,
): Promise<[first: MailIndex, then: MailIndex]> {
  const { words, folders, isRead, isStarred } = query
  const other = isStarred === true ? 'starred' : isRead === false ? 'unread' : 'folders'
  if (words.length === 0) return [other, other]
  if (other === 'folders' && folders.length === FOLDERS.length) return ['words', 'words']
  return (await areFew(db, actor, mailboxIds, folders, other)) ? [other, other] : ['words', other]
}

async function areFew(
  db: Db,
  { tenantId, environmentId }: Realm,
  mailboxIds: readonly Uuid[],
  folders: readonly Folder[],
  along: MailIndex,
): Promise<boolean> {
  const row = await db.first(sql<{ count: number }>`
    select count(*) as count
    from (
      (
        select from unnest(${[...mailboxIds]}::uuid[]) as b (mailbox_id)
        cross join lateral (
          select from message_entries e
          where e.tenant_id = ${tenantId} and e.environment_id = ${environmentId} and e.mailbox_id = b.mailbox_id and e.is_starred
          order by e.created_at desc limit ${MOST_LOOKED_AT}
        ) e
        where ${along}::text = 'starred'
      )
      union all
      (
        select from unnest(${[...mailboxIds]}::uuid[]) as b (mailbox_id)
        cross join lateral (
          select from message_entries e
          where e.tenant_id = ${tenantId} and e.environment_id = ${environmentId} and e.mailbox_id = b.mailbox_id and not e.is_read
          order by e.created_at desc limit ${MOST_LOOKED_AT}
        ) e
        where ${along}::text = 'unread'
      )
      union all
      (
        select from unnest(${[...mailboxIds]}::uuid[]) as b (mailbox_id)
        cross join unnest(${[...folders]}::text[]) as n (folder)
        cross join lateral (
          select from message_entries e
          where e.tenant_id = ${tenantId} and e.environment_id = ${environmentId} and e.mailbox_id = b.mailbox_id
            and e.folder = n.folder
          order by e.created_at desc limit ${MOST_LOOKED_AT}
        ) e
        where ${along}::text = 'folders'
      )
      union all
      (
        select from unnest(${[...mailboxIds]}::uuid[]) as b (mailbox_id)
        cross join lateral (
          select from messages m
          where m.tenant_id = ${tenantId} and m.environment_id = ${environmentId} and m.mailbox_id = b.mailbox_id and m.in_sent
          order by m.created_at desc limit ${MOST_LOOKED_AT}
        ) m
        where ${along}::text = 'folders' and 'sent' = any (${[...folders]}::text[])
      )
      limit ${MOST_LOOKED_AT}
    ) few`)
  return (row?.count ?? 0) < MOST_LOOKED_AT
}

/**
 * Looks at up to `most` messages behind a place, and at those that share the last one's: gives those that match, and the last
 * whether it does or not. A message that several of the mailboxes have is given for each.
 */
export function walkMail(
  db: Db,
  { tenantId, environmentId }: Realm,
  mailboxIds: readonly Uuid[],
  query: SearchQuery,
  along: MailIndex,
  behind: PagePlace,
  most: number,
): Promise<(MailRow | (Place & { matches: false }))[]> {
  const { folders, isRead, isStarred } = query
  const mailboxes = [...mailboxIds]
  const words = query.words.map(({ word }) => word)
  const beginnings = query.words.map(({ isBeginning }) => isBeginning)
  const exclusions = query.words.map(({ isExcluded }) => isExcluded)
  const sinceMicros = (query.sinceMs ?? 0) * 1000
  return db.rows(sql<MailRow | (Place & { matches: false })>`
    select p.id, p.created_at, p.seq, p.looked, p.mailbox_id, m.id is not null as matches, m.folder, m.is_read, m.is_starred, m.direction,
      m.status, m.from_address, m.from_name, m.subject, m.preview, m.attachment_count
    from (
      select w.id, w.mailbox_id, w.created_at, w.seq, count(*) over () as looked,
        row_number() over (order by w.created_at, w.seq) = 1 as is_last
      from (
        select o.id, o.mailbox_id, o.created_at, o.seq
        from (
          (
            select f.message_id as id, f.mailbox_id, f.created_at, f.seq
            from find_in_mailboxes(${tenantId}, ${mailboxes}::uuid[], ${words}::text[], ${beginnings}::boolean[],
              ${exclusions}::boolean[], to_timestamp(0) + ${behind.micros}::bigint * interval '1 microsecond', ${behind.seq}::bigint,
              to_timestamp(0) + ${sinceMicros}::bigint * interval '1 microsecond', ${most}) f
            where ${along}::text = 'words'
          )
          union all
          (
            select e.message_id as id, b.mailbox_id, e.created_at, e.seq
            from unnest(${mailboxes}::uuid[]) as b (mailbox_id)
            cross join lateral (
              select e.message_id, e.created_at, e.seq from message_entries e
              where e.tenant_id = ${tenantId} and e.environment_id = ${environmentId} and e.mailbox_id = b.mailbox_id and e.is_starred
                and (e.created_at, e.seq)
                  < (to_timestamp(0) + ${behind.micros}::bigint * interval '1 microsecond', ${behind.seq}::bigint)
                and e.created_at >= to_timestamp(0) + ${sinceMicros}::bigint * interval '1 microsecond'
              order by e.created_at desc, e.seq desc limit ${most}
            ) e
            where ${along}::text = 'starred'
          )
          union all
          (
            select e.message_id as id, b.mailbox_id, e.created_at, e.seq
            from unnest(${mailboxes}::uuid[]) as b (mailbox_id)
            cross join lateral (
              select e.message_id, e.created_at, e.seq from message_entries e
              where e.tenant_id = ${tenantId} and e.environment_id = ${environmentId} and e.mailbox_id = b.mailbox_id and not e.is_read
                and (e.created_at, e.seq)
                  < (to_timestamp(0) + ${behind.micros}::bigint * interval '1 microsecond', ${behind.seq}::bigint)
                and e.created_at >= to_timestamp(0) + ${sinceMicros}::bigint * interval '1 microsecond'
              order by e.created_at desc, e.seq desc limit ${most}
            ) e
            where ${along}::text = 'unread'
          )
          union all
          (
            select e.message_id as id, b.mailbox_id, e.created_at, e.seq
            from unnest(${mailboxes}::uuid[]) as b (mailbox_id)
            cross join unnest(${[...folders]}::text[]) as n (folder)
            cross join lateral (
              select e.message_id, e.created_at, e.seq from message_entries e
              where e.tenant_id = ${tenantId} and e.environment_id = ${environmentId} and e.mailbox_id = b.mailbox_id
                and e.folder = n.folder
                and (e.created_at, e.seq)
                  < (to_timestamp(0) + ${behind.micros}::bigint * interval '1 microsecond', ${behind.seq}::bigint)
                and e.created_at >= to_timestamp(0) + ${sinceMicros}::bigint * interval '1 microsecond'
              order by e.created_at desc, e.seq desc limit ${most}
            ) e
            where ${along}::text = 'folders'
          )
          union all
          (
            select m.id, b.mailbox_id, m.created_at, m.seq
            from unnest(${mailboxes}::uuid[]) as b (mailbox_id)
            cross join lateral (
              select m.id, m.created_at, m.seq from messages m
              where m.tenant_id = ${tenantId} and m.environment_id = ${environmentId} and m.mailbox_id = b.mailbox_id and m.in_sent
                and (m.created_at, m.seq)
                  < (to_timestamp(0) + ${behind.micros}::bigint * interval '1 microsecond', ${behind.seq}::bigint)
                and m.created_at >= to_timestamp(0) + ${sinceMicros}::bigint * interval '1 microsecond'
              order by m.created_at desc, m.seq desc limit ${most}
            ) m
            where ${along}::text = 'folders' and 'sent' = any (${[...folders]}::text[])
          )
        ) o
        order by o.created_at desc, o.seq desc fetch first (${most}::bigint) rows with ties
      ) w
    ) p
    left join lateral (
      select m.id, coalesce(e.folder, 'sent') as folder, coalesce(e.is_read, true) as is_read,
        coalesce(e.is_starred, false) as is_starred, m.direction, coalesce(s.status, 'received') as status, m.from_address, m.from_name,
        m.subject, m.preview, m.attachment_count
      from messages m
      left join message_states s on s.tenant_id = ${tenantId} and s.message_id = m.id
      left join message_entries e on e.tenant_id = ${tenantId} and e.message_id = m.id and e.mailbox_id = p.mailbox_id
      where m.tenant_id = ${tenantId} and m.environment_id = ${environmentId} and m.id = p.id and m.gone is null
        and (e.message_id is not null or m.in_sent and m.mailbox_id = p.mailbox_id)
        and coalesce(e.folder, 'sent') = any (${[...folders]}::text[])
        and (${isRead}::boolean is null or coalesce(e.is_read, true) = ${isRead}::boolean)
        and (${isStarred}::boolean is null or coalesce(e.is_starred, false) = ${isStarred}::boolean)
        and (
          ${along}::text = 'words' or cardinality(${words}::text[]) = 0
          or exists (
            select from (
              -- By its key alone: the index on words, which might seem as good, would be gone through for each message.
              select f.words from mailbox_search f
              where f.tenant_id = ${tenantId} and f.message_id = m.id and f.mailbox_id = p.mailbox_id offset 0
            ) f
            cross join lateral (
              select o.id from mailbox_spans o
              where o.tenant_id = ${tenantId} and o.mailbox_id = p.mailbox_id and o.begins_at <= p.created_at
              order by o.begins_at desc limit 1
            ) o
            where f.words @@ mailbox_query(o.id, ${words}::text[], ${beginnings}::boolean[], ${exclusions}::boolean[])))
      limit 1
    ) m on true
    where m.id is not null or p.is_last
    order by p.created_at desc, p.seq desc, p.mailbox_id`)
}
