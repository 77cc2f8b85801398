// The drafts of a user's mailboxes, page by page: those that were saved last come first.
import type { MailboxUser } from '../../access/actor.ts'
import { assertMay } from '../../access/permissions.ts'
import { problem } from '../../access/problem.ts'
import { parseInstant } from '../../lib/instant.ts'
import { type Db, sql, type Timestamp } from '../../lib/sql.ts'
import { isUuid, type Uuid } from '../../lib/uuid.ts'
import type { DraftFailure, Due, StoredDraft } from './draft.ts'
import { chosenForDrafts } from './writable-mailbox.ts'

interface DraftRow extends Pick<StoredDraft, 'id' | 'mailboxId' | 'to' | 'subject' | 'savedAt'> {
  preview: string
  attachmentCount: number
  due: Due | null
  failure: DraftFailure | null
}

interface Row extends Omit<DraftRow, 'due' | 'failure'> {
  dueAt: Timestamp | null
  isScheduled: boolean | null
  failureCode: string | null
  failureMessage: string | null
}

/** @throws Problem not_found for a mailbox that is not the user's, not_allowed for one that the user may only read, invalid_cursor */
export async function listDrafts(
  db: Db,
  actor: MailboxUser,
  { mailboxId, cursor, limit }: { mailboxId?: Uuid | undefined; cursor?: string | undefined; limit: number },
): Promise<{ items: DraftRow[]; nextCursor: string | null }> {
  assertMay(actor, 'sendMessages')
  const mailboxIds = chosenForDrafts(actor, mailboxId)
  const behind = cursor === undefined ? { savedAt: 'infinity', id: LAST } : placeOf(cursor)
  const rows = await db.rows(sql<Row>`
    select d.id, d.mailbox_id as "mailboxId", d.to_addresses as "to", d.subject, d.preview, d.saved_at as "savedAt",
      d.due_at as "dueAt", d.is_scheduled as "isScheduled", d.failure_code as "failureCode",
      d.failure_message as "failureMessage",
      (select count(*) from draft_attachments h where h.tenant_id = d.tenant_id and h.draft_id = d.id) as "attachmentCount"
    from drafts d
    where d.tenant_id = ${actor.tenantId} and d.mailbox_id = any (${mailboxIds}::uuid[])
      and (d.saved_at, d.id) < (${behind.savedAt}::timestamptz, ${behind.id}::uuid)
    order by d.saved_at desc, d.id desc limit ${limit + 1}`)
  const items = rows.slice(0, limit).map(shown)
  const last = items.at(-1)
  return { items, nextCursor: rows.length > limit && last ? `${last.savedAt}.${last.id}` : null }
}

const LAST: Uuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

function placeOf(cursor: string): { savedAt: string; id: Uuid } {
  const [, savedAt, id = ''] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)\.(.{36})$/.exec(cursor) ?? []
  // Of what was before 1970 nothing is kept; the database has no year 0.
  if (savedAt === undefined || !parseInstant(savedAt) || !isUuid(id)) throw problem('invalid_cursor')
  return { savedAt, id }
}

function shown({ dueAt, isScheduled, failureCode, failureMessage, ...row }: Row): DraftRow {
  return {
    ...row,
    due: dueAt === null ? null : { at: dueAt, isScheduled: isScheduled as boolean },
    failure: failureCode === null ? null : { code: failureCode, message: failureMessage as string },
  }
}
