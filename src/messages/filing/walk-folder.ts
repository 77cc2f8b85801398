// What lies in a folder of some mailboxes, batch by batch, newest first, from an instant on back: what comes in meanwhile is left.
// Each batch costs the same however much lies there. Knows nothing of what is done with it.
import type { MailboxUser } from '../../access/actor.ts'
import { invalidField, problem } from '../../access/problem.ts'
import { parseInstant } from '../../lib/instant.ts'
import { sql, type Timestamp, type Tx } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'
import { decodePageCursor, encodePageCursor, type PagePlace } from '../page-cursor.ts'
import type { Folder } from '../schemas.ts'
import { readInOrder } from './look-up-by-keys.ts'

/** Entries in one batch, at most. specification.md#filing-in-the-webmail */
export const MOST_IN_A_BATCH = 500

export interface FolderSelection {
  folder: Folder
  /** One of the user's; undefined: all of them. */
  mailbox?: Uuid | undefined
  /** None newer than this ISO 8601 instant. */
  until: string
  /** Where the batch before ended. */
  cursor?: string | undefined
}

export interface FolderBatch {
  ids: Uuid[]
  nextCursor: string | null
}

interface Row {
  id: Uuid
  created_at: Timestamp
  seq: number
}

/** No message is in two batches. @throws Problem validation_error for what is no instant, invalid_cursor */
export async function walkFolder(
  tx: Tx,
  actor: MailboxUser,
  mailboxIds: readonly Uuid[],
  { folder, until, cursor }: FolderSelection,
  most = MOST_IN_A_BATCH,
): Promise<FolderBatch> {
  const micros = parseInstant(until)
  if (micros === undefined) throw invalidField('until', 'must be an ISO 8601 date or instant')
  // What was created at that instant is in it.
  const newest = { micros: micros + 1, seq: 0 }
  const behind = cursor === undefined ? newest : decodePageCursor(cursor)
  if (!behind) throw problem('invalid_cursor')
  await readInOrder(tx)
  const rows = await walk(tx, actor, mailboxIds, folder, older(behind, newest), most + 1)
  if (rows.length <= most) return { ids: idsOf(rows), nextCursor: null }
  // One that several mailboxes have there is taken whole, with the next batch.
  const last = rows.at(-1)
  const whole = rows.filter(({ id }) => id !== last?.id)
  const taken = whole.length > 0 ? whole : rows
  const end = taken.at(-1) as Row
  return { ids: idsOf(taken), nextCursor: encodePageCursor(end.created_at, end.seq) }
}

const idsOf = (rows: readonly Row[]) => [...new Set(rows.map(({ id }) => id))]

function older(one: PagePlace, other: PagePlace): PagePlace {
  return one.micros < other.micros || (one.micros === other.micros && one.seq < other.seq) ? one : other
}

function walk(
  tx: Tx,
  { tenantId, environmentId }: MailboxUser,
  mailboxIds: readonly Uuid[],
  folder: Folder,
  behind: PagePlace,
  most: number,
): Promise<Row[]> {
  return tx.rows(sql<Row>`
    select w.id, w.created_at, w.seq
    from unnest(${mailboxIds}::uuid[]) as b (id)
    cross join lateral (
      (
        select e.message_id as id, e.created_at, e.seq from message_entries e
        where e.tenant_id = ${tenantId} and e.environment_id = ${environmentId} and e.mailbox_id = b.id
          and e.folder = ${folder}
          and (e.created_at, e.seq)
            < (to_timestamp(0) + ${behind.micros}::bigint * interval '1 microsecond', ${behind.seq}::bigint)
        order by e.created_at desc, e.seq desc limit ${most}
      )
      union all
      (
        select m.id, m.created_at, m.seq from messages m
        where ${folder}::text = 'sent' and m.tenant_id = ${tenantId} and m.environment_id = ${environmentId}
          and m.mailbox_id = b.id and m.in_sent
          and (m.created_at, m.seq)
            < (to_timestamp(0) + ${behind.micros}::bigint * interval '1 microsecond', ${behind.seq}::bigint)
        order by m.created_at desc, m.seq desc limit ${most}
      )
    ) w
    order by w.created_at desc, w.seq desc limit ${most}`)
}
