// Finds messages in a user's mailboxes, page by page, newest first: along the index on words, or along that of what is starred, not
// read or in a folder. Where a message lies and how it is flagged is looked at as it is now. Knows nothing of HTTP.
// specification.md#search-in-the-webmail
import type { MailboxUser } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { invalidField, problem } from '../access/problem.ts'
import { beginningOfDay, isTimeZone } from '../activity/bars-of-time.ts'
import { type Db, sql, type Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { chosenMailboxes } from './chosen-mailboxes.ts'
import { firstRecipients } from './first-recipients.ts'
import { keepWithPhrases } from './keep-with-phrases.ts'
import { decodePageCursor, endPage, endWalk, NEWEST, type PagePlace } from './page-cursor.ts'
import type { Address, Folder } from './schemas.ts'
import { parseSearch, type SearchQuery } from './search-query.ts'
import type { MessageStatus } from './status.ts'
import { indexesFor, type MailRow, MOST_LOOKED_AT, walkMail } from './walk-mail.ts'

/** A message as it lies in one mailbox. */
interface FoundMail {
  id: Uuid
  mailboxId: Uuid
  folder: Folder
  people: Address[]
  subject: string
  preview: string
  at: Timestamp
  isRead: boolean
  isStarred: boolean
  messages: 1
  hasAttachments: boolean
  status: MessageStatus
}

interface SearchedPage {
  items: FoundMail[]
  nextCursor: string | null
  ignored: string[]
  indexing: boolean
}

/** How many pages' worth is looked at for one, in steps: most searches need the first. */
const STEPS = [1, 8, 16, Number.POSITIVE_INFINITY]
/** Those that are taken along the first index. */
const FIRST_STEPS = 2
/** Of those whose texts are read for phrases. */
const MOST_READ = 250
/** Who wrote, or is written to, as far as a row shows them. */
const MOST_PEOPLE = 5

/**
 * A page may have fewer than `limit`, or none, and yet a cursor. `timeZone`: whose days `before:` and `after:` mean.
 * @throws Problem not_found for a mailbox that is not the user's, invalid_cursor, validation_error for no time zone
 */
export async function searchMail(
  db: Db,
  actor: MailboxUser,
  asked: { q: string; mailboxId?: Uuid | undefined; cursor?: string | undefined; timeZone: string; limit: number },
): Promise<SearchedPage> {
  assertMay(actor, 'readMessages')
  const { mailboxId, cursor, timeZone, limit } = asked
  const mailboxIds = chosenMailboxes(actor, mailboxId)
  if (!isTimeZone(timeZone)) throw invalidField('timeZone', `"${timeZone}" is no time zone such as Europe/Berlin`)
  const behind = cursor === undefined ? NEWEST : decodePageCursor(cursor)
  if (!behind) throw problem('invalid_cursor')
  const query = parseSearch(asked.q, (date) => beginningOfDay(date, timeZone))
  const { ignored } = query
  if (query.isEmpty || mailboxIds.length === 0) return { items: [], nextCursor: null, ignored, indexing: false }
  // What is being looked through is asked first: when it is over by then, all of it is found.
  const indexing = await isBeingWalked(db, actor, mailboxIds)
  const [rows, nextCursor] = await page(db, actor, mailboxIds, query, behind, limit)
  const sent = rows.filter(({ folder }) => folder === 'sent').map(({ id }) => id)
  const recipients = await firstRecipients(db, actor, sent, MOST_PEOPLE)
  return { items: rows.map((row) => foundFrom(row, recipients.get(row.id))), nextCursor, ignored, indexing }
}

async function isBeingWalked(db: Db, { tenantId }: MailboxUser, mailboxIds: readonly Uuid[]): Promise<boolean> {
  const row = await db.first(sql<{ found: boolean }>`
    select true as found from searched_mailboxes s
    where s.tenant_id = ${tenantId} and s.mailbox_id = any (${[...mailboxIds]}::uuid[]) and not s.is_walked limit 1`)
  return row !== undefined
}

async function page(
  db: Db,
  actor: MailboxUser,
  mailboxIds: readonly Uuid[],
  query: SearchQuery,
  behind: PagePlace,
  limit: number,
): Promise<[shown: MailRow[], cursor: string | null]> {
  const begin = older(behind, query.untilMs)
  const [first, then] = await indexesFor(db, actor, mailboxIds, query)
  const found = new Map<Uuid, MailRow>()
  let place = begin
  let looked = 0
  let read = 0
  for (const [i, step] of STEPS.entries()) {
    const along = i < FIRST_STEPS ? first : then
    const most = Math.min((limit + 1) * step, MOST_LOOKED_AT - looked)
    const rows = await walkMail(db, actor, mailboxIds, query, along, place, most)
    const matching = rows.filter((row): row is MailRow => row.matches)
    const tried = query.phrases.length === 0 ? matching : firstMessages(matching, MOST_READ - read)
    for (const row of await keepWithPhrases(db, actor, query.phrases, tried)) {
      if (!found.has(row.id)) found.set(row.id, row)
    }
    if (found.size > limit) break
    const last = rows.at(-1)
    if (last === undefined || (last.looked < most && tried.length === matching.length)) break
    looked += last.looked
    read += tried.length
    place = { micros: microsOf(last.created_at), seq: last.seq }
    if (tried.length < matching.length) return endWalk([...found.values()], tried.at(-1) as MailRow, begin)
    if (looked >= MOST_LOOKED_AT) return endWalk([...found.values()], last, begin)
  }
  return endPage([...found.values()], limit)
}

/** So many, and the last of them for each mailbox that has it. */
function firstMessages(rows: readonly MailRow[], most: number): MailRow[] {
  const last = rows[most - 1]?.id
  return rows.filter((row, i) => i < most || row.id === last)
}

const microsOf = (at: Timestamp): number => Date.parse(`${at.slice(0, 23)}Z`) * 1000 + Number(at.slice(23, 26))

function older(behind: PagePlace, untilMs: number | null): PagePlace {
  return untilMs !== null && untilMs * 1000 < behind.micros ? { micros: untilMs * 1000, seq: 0 } : behind
}

/** `recipients`: of what lies in `sent`. */
function foundFrom(row: MailRow, recipients: Address[] = []): FoundMail {
  const from = row.from_address === null ? [] : [{ address: row.from_address, name: row.from_name }]
  const people = row.folder === 'sent' ? recipients : from
  return {
    id: row.id,
    mailboxId: row.mailbox_id,
    folder: row.folder,
    people,
    subject: row.subject,
    preview: row.preview,
    at: row.created_at,
    isRead: row.is_read,
    isStarred: row.is_starred,
    messages: 1,
    hasAttachments: row.attachment_count > 0,
    status: row.status,
  }
}
