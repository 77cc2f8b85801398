// Makes findable what a mailbox had before somebody read it: from the newest message on, a piece at a time. What comes in
// meanwhile is noted by whoever follows the log, which waits for a piece and it for that: none is between them (ADR 68).
import { productionOf, type Realm } from '../access/actor.ts'
import { type Database, type Db, isUnavailable, ranOutOfTime, sql, type Timestamp, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { HTML_CHARS, TEXT_CHARS } from '../mail/mail-words.ts'
import { noteCorrespondents } from './correspondents/note-correspondents.ts'
import { WEIGHT_OF_ADDRESSES } from './in-stretches.ts'
import { noteMail, partOldestSpan } from './note-mail.ts'
import { MOST_OCTETS_READ, readMailWords } from './read-mail.ts'

/** In one transaction: while it writes, the feed stands still for all (ADR 5). */
const MOST_MESSAGES = 250
/** That take turns. */
const MOST_MAILBOXES = 100

interface OpenMailbox {
  tenantId: Uuid
  mailboxId: Uuid
}

interface WalkedMessage {
  messageId: Uuid
  createdAt: Timestamp
  seq: number
  octets: number
}

/** Those of which there is more to look through. */
function findOpenMailboxes(database: Database): Promise<OpenMailbox[]> {
  return database.rows(sql<OpenMailbox>`
    select s.tenant_id as "tenantId", s.mailbox_id as "mailboxId" from searched_mailboxes s
    where not s.is_walked
    order by random() limit ${MOST_MAILBOXES}`)
}

/** How many there are. */
export async function countOpenMailboxes(db: Db): Promise<number> {
  const row = await db.first(
    sql<{ count: number }>`select count(*) as count from searched_mailboxes s where not s.is_walked`,
  )
  return row?.count ?? 0
}

/**
 * Takes each a piece further, those apart whose log another process has in hands, or of which a message is being ended. `onError`
 * hears of one that cannot be looked through, which holds up no other.
 * @throws when the database is away
 */
export async function walkMailboxes(
  database: Database,
  { isStopped, onError }: { isStopped(): boolean; onError(error: unknown, log: Realm): void } = ALONE,
): Promise<{ isDone: boolean; hasWalked: boolean }> {
  const open = await findOpenMailboxes(database)
  let hasWalked = false
  for (const mailbox of open) {
    if (isStopped()) break
    hasWalked = (await walkMailbox(database, mailbox, onError)) || hasWalked
  }
  return { isDone: open.length === 0, hasWalked }
}

/** Of whoever waits for all of it, and is to hear of it all. */
const ALONE = {
  isStopped: () => false,
  onError(error: unknown) {
    throw error
  },
}

/** Gives whether it could. */
async function walkMailbox(
  database: Database,
  mailbox: OpenMailbox,
  onError: (error: unknown, log: Realm) => void,
): Promise<boolean> {
  try {
    return await database.transaction((tx) => walkPiece(tx, mailbox))
  } catch (error) {
    if (ranOutOfTime(error)) return false
    if (isUnavailable(error)) throw error
    onError(error, productionOf(mailbox.tenantId))
    return false
  }
}

async function walkPiece(tx: Tx, mailbox: OpenMailbox): Promise<boolean> {
  const { tenantId, mailboxId } = mailbox
  // The log's own lock, as whoever follows it takes it. What it committed is seen by the statements behind.
  const [lock] = await tx.rows(sql<{ isTaken: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('activity ' || ${tenantId}::text, 0)) as "isTaken"`)
  if (!lock?.isTaken) return false
  const found = await readOn(tx, mailbox)
  const [piece, hasMore] = cutPiece(found)
  const mail = piece.map(({ messageId, octets }) => ({ tenantId, messageId, mailboxId, octets }))
  const worded = await readMailWords(tx, mail)
  await partOldestSpan(tx, mailbox)
  await tx.rows(sql`
    select from messages m
    where m.tenant_id = ${tenantId} and m.id = any (${mail.map((one) => one.messageId)}::uuid[])
    for key share nowait`)
  await noteMail(tx, mail, worded)
  await noteCorrespondents(tx, mail)
  const last = piece.at(-1)
  await tx.rows(sql`
    update searched_mailboxes
    set walked_to = coalesce(${last?.createdAt ?? null}::timestamptz, walked_to), walked_to_seq = coalesce(${last?.seq ?? null}::bigint, walked_to_seq),
      is_walked = ${!hasMore}
    where tenant_id = ${tenantId} and mailbox_id = ${mailboxId}`)
  return true
}

/** What the mailbox has behind the place that was come to, newest first. */
function readOn(tx: Tx, { tenantId, mailboxId }: OpenMailbox): Promise<WalkedMessage[]> {
  return tx.rows(sql<WalkedMessage>`
    select w.message_id as "messageId", w.created_at as "createdAt", w.seq,
      least(coalesce(octet_length(m.text), 0), ${TEXT_CHARS}) + least(coalesce(octet_length(m.html), 0), ${HTML_CHARS})
        + ${WEIGHT_OF_ADDRESSES}::integer * (octet_length(m.to_addresses::text) + octet_length(m.cc_addresses::text)
          + octet_length(m.bcc_addresses::text)) as octets
    from searched_mailboxes s
    cross join lateral (
      (
        select e.message_id, e.created_at, e.seq
        from unnest(array['inbox', 'sent', 'archive', 'spam', 'trash']) as n (folder)
        cross join lateral (
          select e.message_id, e.created_at, e.seq from message_entries e
          where e.tenant_id = s.tenant_id and e.environment_id = s.tenant_id and e.mailbox_id = s.mailbox_id
            and e.folder = n.folder and (e.created_at, e.seq) < (s.walked_to, s.walked_to_seq)
          order by e.created_at desc, e.seq desc limit ${MOST_MESSAGES + 1}
        ) e
      )
      union all
      (
        select m.id, m.created_at, m.seq from messages m
        where m.tenant_id = s.tenant_id and m.environment_id = s.tenant_id and m.mailbox_id = s.mailbox_id and m.in_sent
          and (m.created_at, m.seq) < (s.walked_to, s.walked_to_seq)
        order by m.created_at desc, m.seq desc limit ${MOST_MESSAGES + 1}
      )
      order by created_at desc, seq desc limit ${MOST_MESSAGES + 1}
    ) w
    join messages m on m.tenant_id = s.tenant_id and m.id = w.message_id
    where s.tenant_id = ${tenantId} and s.mailbox_id = ${mailboxId} and not s.is_walked
    order by w.created_at desc, w.seq desc`)
}

/** As many as are read at once, the first in any case. */
function cutPiece(found: readonly WalkedMessage[]): [piece: WalkedMessage[], hasMore: boolean] {
  const piece: WalkedMessage[] = []
  let octets = 0
  for (const message of found.slice(0, MOST_MESSAGES)) {
    octets += message.octets
    if (piece.length > 0 && octets > MOST_OCTETS_READ) break
    piece.push(message)
  }
  return [piece, piece.length < found.length]
}
