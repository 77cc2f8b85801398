// Removes what uploads leave behind: those that were never completed, and attachments that no message and no draft has.
import { removeLater } from '../lib/object-removals.ts'
import { type Database, type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { attachmentKey } from './attachment-key.ts'

/** How long one may wait for a message. specification.md#retention-times */
const UNATTACHED_DAYS = 7
/** Of how many at once it is noted that a message has them. */
const SETTLED_AT_ONCE = 5_000
/** An upload is remembered as long as its idempotency key, so that a retry learns what became of it. */
const REMEMBERED_HOURS = 25

/** Uploads whose time has long passed, completed or not. Their objects are noted elsewhere. Gives how many went. */
export async function sweepUploads(db: Db, limit: number): Promise<number> {
  const rows = await db.rows(sql<{ id: Uuid }>`
    delete from uploads where (tenant_id, id) in (
      select tenant_id, id from uploads
      where expires_at < statement_timestamp() - make_interval(hours => ${REMEMBERED_HOURS})
      order by expires_at limit ${limit} for update skip locked)
    returning id`)
  return rows.length
}

/** Attachments that neither a message nor a draft has, with their objects. Gives how many went. */
export async function sweepUnattached(database: Database, limit: number): Promise<number> {
  await settleAttached(database)
  return database.transaction(async (tx) => {
    // A send or a draft that takes one at this moment holds its row: it is passed over. One that took it a moment ago, the
    // second statement sees.
    const old = await tx.rows(sql<{ tenant_id: Uuid; id: Uuid }>`
      select a.tenant_id, a.id from attachments a
      where a.is_loose and a.created_at < statement_timestamp() - make_interval(days => ${UNATTACHED_DAYS})
        and not exists (select from message_attachments h where h.tenant_id = a.tenant_id and h.attachment_id = a.id)
        and not exists (select from draft_attachments d where d.tenant_id = a.tenant_id and d.attachment_id = a.id)
      order by a.created_at limit ${limit} for update skip locked`)
    const gone = await tx.rows(sql<{ tenant_id: Uuid; id: Uuid }>`
      delete from attachments a
      using unnest(${old.map((row) => row.tenant_id)}::uuid[], ${old.map((row) => row.id)}::uuid[]) as n (tenant_id, id)
      where a.tenant_id = n.tenant_id and a.id = n.id
        and not exists (select from message_attachments h where h.tenant_id = a.tenant_id and h.attachment_id = a.id)
        and not exists (select from draft_attachments d where d.tenant_id = a.tenant_id and d.attachment_id = a.id)
      returning a.tenant_id, a.id`)
    const keys = gone.map((row) => attachmentKey(row.tenant_id, row.id))
    await removeLater(tx, keys, 0)
    return gone.length
  })
}

/** Notes of those that a message has that they need no look any more: they go with the last of their messages. */
async function settleAttached(db: Db): Promise<void> {
  await db.rows(sql`
    update attachments set is_loose = false where (tenant_id, id) in (
      select a.tenant_id, a.id from attachments a
      where a.is_loose and a.created_at < statement_timestamp() - make_interval(days => ${UNATTACHED_DAYS})
        and exists (select from message_attachments h where h.tenant_id = a.tenant_id and h.attachment_id = a.id)
      order by a.created_at limit ${SETTLED_AT_ONCE} for no key update skip locked)`)
}
