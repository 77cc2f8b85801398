// Reads a draft, as it was saved last.
import type { MailboxUser, Realm } from '../../access/actor.ts'
import { assertMay } from '../../access/permissions.ts'
import { absent } from '../../access/problem.ts'
import { type Db, sql, type Timestamp } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'
import type { StoredDraft } from './draft.ts'
import { mailboxesWithDrafts } from './writable-mailbox.ts'

/** @throws Problem not_found */
export async function readDraft(db: Db, actor: MailboxUser, id: Uuid): Promise<StoredDraft> {
  assertMay(actor, 'sendMessages')
  const draft = await findDraft(db, actor, id)
  if (!draft || !mailboxesWithDrafts(actor).includes(draft.mailboxId)) throw absent('draft')
  return draft
}

interface Row extends Omit<StoredDraft, 'quote' | 'due' | 'failure' | 'attachmentIds'> {
  quoteHtml: string | null
  quoteAttribution: string | null
  dueAt: Timestamp | null
  isScheduled: boolean | null
  failureCode: string | null
  failureMessage: string | null
}

/** The same, for whoever was found to see it. */
export async function findDraft(db: Db, { tenantId }: Realm, id: Uuid): Promise<StoredDraft | undefined> {
  const row = await db.first(sql<Row>`
    select d.id, d.mailbox_id as "mailboxId", d.message_id as "messageId", d.version, d.kind, d.answers,
      d.to_addresses as "to", d.cc_addresses as cc, d.bcc_addresses as bcc, d.subject, d.format, d.body,
      d.quote_html as "quoteHtml", d.quote_attribution as "quoteAttribution", d.due_at as "dueAt",
      d.is_scheduled as "isScheduled", d.failure_code as "failureCode", d.failure_message as "failureMessage",
      d.saved_at as "savedAt", d.saved_by as "savedBy", d.created_at as "createdAt",
      coalesce((
        select json_agg(json_build_object('id', a.id, 'filename', a.filename, 'mediaType', a.media_type,
          'sizeBytes', a.size_bytes) order by h.position)
        from draft_attachments h
        join attachments a on a.tenant_id = h.tenant_id and a.id = h.attachment_id
        where h.tenant_id = d.tenant_id and h.draft_id = d.id), '[]') as attachments
    from drafts d
    where d.tenant_id = ${tenantId} and d.id = ${id}`)
  return row && draftFrom(row)
}

function draftFrom(row: Row): StoredDraft {
  const { quoteHtml, quoteAttribution, dueAt, isScheduled, failureCode, failureMessage, ...draft } = row
  return {
    ...draft,
    attachmentIds: draft.attachments.map((file) => file.id),
    quote: quoteHtml === null ? null : { html: quoteHtml, attribution: quoteAttribution as string },
    due: dueAt === null ? null : { at: dueAt, isScheduled: isScheduled as boolean },
    failure: failureCode === null ? null : { code: failureCode, message: failureMessage as string },
  }
}
