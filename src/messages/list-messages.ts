// Reads messages page by page, newest first, in an order without ties, so that following the cursor gives each one
// once, also through milliseconds. Each page costs the same however many there are: it walks along one index, and looks
// through so many messages at most. Knows nothing of HTTP. specification.md#pages-of-messages
import type { Realm, TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { type Db, sql } from '../lib/sql.ts'
import { isUuid, type Uuid } from '../lib/uuid.ts'
import { spellingsOf } from '../mail/mail-address.ts'
import { wantedWords } from '../mail/search-words.ts'
import { endPage, endWalk, type PagePlace } from './page-cursor.ts'
import type { MessagePage, MessagesQuery } from './schemas.ts'
import { isFailure } from './status.ts'
import { type SummaryRow, summaryFrom } from './summaries.ts'

/** What the messages of a page have in common: all of what is named. */
export interface MessageFilter
  extends Partial<Pick<MessagesQuery, 'mailboxId' | 'status' | 'direction' | 'folder' | 'recipient' | 'q'>> {
  /** Words in the subject. */
  subject?: string
  /** Sent by this application. */
  appId?: Uuid
  /** None older. Microseconds since 1970. */
  sinceMicros?: number
}

/** How many messages one page looks through at most for those that its filter lets pass. */
export const MOST_MESSAGES_WALKED = 5_000
/** And beyond its limit where there is no filter: what is gone and held is passed over. */
const MOST_GONE_WALKED = 500

interface Row extends SummaryRow {
  seq: number
  /** The filter lets it pass. */
  matches: boolean
  /** The walk stopped here: there may be more behind it. */
  is_end: boolean
}

/**
 * Up to `limit` messages behind a place: of all mailboxes, or of one, those with an entry there and those that it has sent
 * and not touched since. A page may have fewer, or none, and yet a cursor.
 */
export async function listMessages(
  db: Db,
  actor: TenantActor,
  behind: PagePlace,
  limit: number,
  filter: MessageFilter = {},
  mostWalked = MOST_MESSAGES_WALKED,
): Promise<MessagePage> {
  assertMay(actor, 'readMessages')
  const page = await pageOf(db, actor, behind, limit, filter, mostWalked)
  // What a message says people open by itself (view-content.ts).
  return actor.kind === 'person' ? { ...page, items: page.items.map((item) => ({ ...item, preview: '' })) } : page
}

async function pageOf(
  db: Db,
  realm: Realm,
  behind: PagePlace,
  limit: number,
  filter: MessageFilter,
  mostWalked: number,
): Promise<MessagePage> {
  const { status, direction, folder, recipient, appId } = filter
  const isFiltered = [status, direction, folder, recipient, appId].some((wanted) => wanted !== undefined)
  const most = isFiltered ? mostWalked : Math.min(mostWalked, limit + MOST_GONE_WALKED)
  const rows = await walk(db, realm, behind, limit, filter, most)
  const matching = rows.filter((row) => row.matches)
  const end = rows.at(-1)
  const [shown, nextCursor] =
    matching.length <= limit && end?.is_end ? endWalk(matching, end, behind) : endPage(matching, limit)
  return { items: shown.map(summaryFrom), nextCursor }
}

/** The id of a message, where that or the Message-ID that is made of it is all that is looked for. */
function idIn(q: string): Uuid | null {
  const [, id = ''] = /^\s*<?([0-9a-f-]{36})(?:@[^\s>]*)?>?\s*$/i.exec(q) ?? []
  return isUuid(id) ? id : null
}

/** The index that a page walks along: the one that has the fewest messages beside those which are looked for. */
function walkFor(filter: MessageFilter): 'words' | 'failed' | 'mailbox' | 'inbound' | 'all' {
  const { mailboxId, status, direction, q, subject } = filter
  if (q !== undefined || subject !== undefined) return 'words'
  if (status !== undefined && isFailure(status)) return 'failed'
  if (mailboxId !== undefined) return 'mailbox'
  return direction === 'inbound' || status === 'received' ? 'inbound' : 'all'
}

/** What the filter lets pass, one more than `limit`; and the last that was looked at, where the walk came to its bound. */
function walk(
  db: Db,
  { tenantId, environmentId }: Realm,
  behind: PagePlace,
  limit: number,
  filter: MessageFilter,
  most: number,
): Promise<Row[]> {
  const { mailboxId = null, status = null, direction = null, folder = null, appId = null } = filter
  const { recipient, sinceMicros = 0 } = filter
  const spellings = recipient === undefined ? null : spellingsOf(recipient)
  // Most messages are told by their text, and their addresses are not taken apart.
  const somewhere = spellings?.map((spelling) => `%${spelling}%`) ?? null
  const along = walkFor(filter)
  const wanted = wantedWords(filter) ?? []
  const words = wanted.flatMap((one, set) => one.words.map((word) => ({ word, set, isBeginning: one.isBeginning })))
  const namedId = filter.q === undefined ? null : idIn(filter.q)
  return db.rows(sql<Row>`
    select m.id, m.direction, coalesce(s.status, 'received') as status, m.from_address, m.from_name, m.to_addresses,
      m.cc_addresses, m.subject, m.preview, m.attachment_count, coalesce(s.size_bytes, m.size_bytes) as size_bytes,
      m.message_id, m.in_reply_to, s.sent_at, m.received_at, m.created_at, m.seq, f.matches, p.is_end,
      case
        when m.in_sent then json_build_array(json_build_object('mailboxId', m.mailbox_id, 'folder', 'sent', 'isRead', true,
          'isStarred', false))
        else coalesce((
          select json_agg(json_build_object('mailboxId', a.mailbox_id, 'folder', a.folder, 'isRead', a.is_read,
            'isStarred', a.is_starred) order by a.mailbox_id)
          from message_entries a where a.tenant_id = ${tenantId} and a.message_id = m.id), '[]')
      end as entries
    from (
      select w.id, w.created_at, w.seq,
        row_number() over (order by w.created_at desc, w.seq desc) = ${most}::bigint as is_end
      from (
        (
          select m.id, m.created_at, m.seq from messages m
          where ${along}::text = 'all' and m.tenant_id = ${tenantId} and m.environment_id = ${environmentId}
            and (m.created_at, m.seq)
              < (to_timestamp(0) + ${behind.micros}::bigint * interval '1 microsecond', ${behind.seq}::bigint)
            and m.created_at >= to_timestamp(0) + ${sinceMicros}::bigint * interval '1 microsecond'
          order by m.created_at desc, m.seq desc limit ${most}
        )
        union all
        (
          select m.id, m.created_at, m.seq from messages m
          where ${along}::text = 'inbound' and m.tenant_id = ${tenantId}
            and m.environment_id = ${environmentId} and m.direction = 'inbound'
            and (m.created_at, m.seq)
              < (to_timestamp(0) + ${behind.micros}::bigint * interval '1 microsecond', ${behind.seq}::bigint)
            and m.created_at >= to_timestamp(0) + ${sinceMicros}::bigint * interval '1 microsecond'
          order by m.created_at desc, m.seq desc limit ${most}
        )
        union all
        (
          select s.message_id as id, s.failed_created_at, s.failed_seq from message_states s
          where ${along}::text = 'failed' and s.tenant_id = ${tenantId}
            and s.failed_environment_id = ${environmentId} and s.failed_seq is not null
            and (s.failed_created_at, s.failed_seq)
              < (to_timestamp(0) + ${behind.micros}::bigint * interval '1 microsecond', ${behind.seq}::bigint)
            and s.failed_created_at >= to_timestamp(0) + ${sinceMicros}::bigint * interval '1 microsecond'
          order by s.failed_created_at desc, s.failed_seq desc limit ${most}
        )
        union all
        (
          select e.message_id as id, e.created_at, e.seq
          from unnest(array['inbox', 'sent', 'archive', 'spam', 'trash']) as n (folder)
          cross join lateral (
            select e.message_id, e.created_at, e.seq from message_entries e
            where e.tenant_id = ${tenantId} and e.environment_id = ${environmentId}
              and e.mailbox_id = ${mailboxId} and e.folder = n.folder
              and (e.created_at, e.seq)
                < (to_timestamp(0) + ${behind.micros}::bigint * interval '1 microsecond', ${behind.seq}::bigint)
              and e.created_at >= to_timestamp(0) + ${sinceMicros}::bigint * interval '1 microsecond'
            order by e.created_at desc, e.seq desc limit ${most}
          ) e
          where ${along}::text = 'mailbox' and n.folder = coalesce(${folder}, n.folder)
          order by e.created_at desc, e.seq desc limit ${most}
        )
        union all
        (
          select m.id, m.created_at, m.seq from messages m
          where ${along}::text = 'mailbox' and coalesce(${folder}, 'sent') = 'sent' and m.tenant_id = ${tenantId}
            and m.environment_id = ${environmentId} and m.mailbox_id = ${mailboxId} and m.in_sent
            and (m.created_at, m.seq)
              < (to_timestamp(0) + ${behind.micros}::bigint * interval '1 microsecond', ${behind.seq}::bigint)
            and m.created_at >= to_timestamp(0) + ${sinceMicros}::bigint * interval '1 microsecond'
          order by m.created_at desc, m.seq desc limit ${most}
        )
        union all
        (
          select f.message_id as id, f.created_at, f.seq
          from find_by_words(${tenantId}, ${environmentId}, ${words.map(({ word }) => word)}::text[],
            ${words.map(({ set }) => set)}::integer[], ${words.map(({ isBeginning }) => isBeginning)}::boolean[],
            to_timestamp(0) + ${behind.micros}::bigint * interval '1 microsecond', ${behind.seq}::bigint,
            to_timestamp(0) + ${sinceMicros}::bigint * interval '1 microsecond', ${most}) f
          where ${along}::text = 'words' and f.message_id is distinct from ${namedId}::uuid
        )
        union all
        (
          select m.id, m.created_at, m.seq from messages m
          where ${along}::text = 'words' and m.tenant_id = ${tenantId} and m.environment_id = ${environmentId}
            and m.id = ${namedId}
            and (m.created_at, m.seq)
              < (to_timestamp(0) + ${behind.micros}::bigint * interval '1 microsecond', ${behind.seq}::bigint)
            and m.created_at >= to_timestamp(0) + ${sinceMicros}::bigint * interval '1 microsecond'
        )
        order by created_at desc, seq desc limit ${most}
      ) w
    ) p
    cross join lateral (
      select m.id, m.direction, m.mailbox_id, m.from_address, m.from_name, m.to_addresses, m.cc_addresses,
        m.bcc_addresses, m.subject, m.preview, m.attachment_count, m.size_bytes, m.message_id, m.in_reply_to,
        m.received_at, m.created_at, m.seq, m.in_sent, m.gone, m.app_id
      from messages m where m.tenant_id = ${tenantId} and m.id = p.id limit 1
    ) m
    left join lateral (
      select s.status, s.size_bytes, s.sent_at from message_states s
      where s.tenant_id = ${tenantId} and s.message_id = m.id limit 1
    ) s on true
    cross join lateral (
      select m.gone is null
        and m.direction = coalesce(${direction}, m.direction)
        and coalesce(s.status, 'received') = coalesce(${status}, s.status, 'received')
        and (${appId}::uuid is null or m.app_id = ${appId}::uuid)
        and (
          ${along}::text = 'mailbox' or (${mailboxId}::uuid is null and ${folder}::text is null)
          or (m.in_sent and m.mailbox_id = coalesce(${mailboxId}, m.mailbox_id) and coalesce(${folder}, 'sent') = 'sent')
          or exists (
            select from (
              select e.mailbox_id, e.folder from message_entries e
              where e.tenant_id = ${tenantId} and e.message_id = m.id offset 0
            ) x
            where x.mailbox_id = coalesce(${mailboxId}, x.mailbox_id) and x.folder = coalesce(${folder}, x.folder))
        )
        and (${spellings}::text[] is null or (
          lower(concat(m.to_addresses, m.cc_addresses, m.bcc_addresses) collate "C") like any (${somewhere}::text[])
          and exists (
            select from (
              select r.named from json_array_elements(m.to_addresses) as r (named)
              union all
              select r.named from json_array_elements(m.cc_addresses) as r (named)
              union all
              select r.named from json_array_elements(m.bcc_addresses) as r (named)
            ) r
            where lower((r.named ->> 'address') collate "C") = any (${spellings}::text[])))) as matches
    ) f
    where f.matches or p.is_end
    order by p.created_at desc, p.seq desc
    limit ${limit + 1}`)
}

/** Whether the tenant has this mailbox. */
export async function isOwnMailbox(db: Db, actor: TenantActor, mailboxId: Uuid): Promise<boolean> {
  const row = await db.first(sql<{ id: Uuid }>`
    select id from mailboxes where tenant_id = ${actor.tenantId} and id = ${mailboxId}`)
  return row !== undefined
}
