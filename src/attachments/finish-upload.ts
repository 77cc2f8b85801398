// Makes an attachment of an upload whose bytes have been put, of whoever may write files. Which of a mailbox user's it is, the caller
// has looked at.
import type { Author } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { problem } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import { keepObjects, ObjectsSwept, removeLater } from '../lib/object-removals.ts'
import { type Database, type Db, sql, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { attachmentKey } from './attachment-key.ts'
import { checkMailbox } from './check-mailbox.ts'
import { findAttachment } from './find-attachment.ts'
import { findUpload, type Upload } from './find-upload.ts'
import { insertAttachments } from './insert-attachments.ts'
import type { Attachment } from './schemas.ts'
import { requireRoomTaken } from './storage-of-tenant.ts'
import type { Transfers } from './transfers.ts'

export interface FinishDeps {
  database: Database
  transfers: Pick<Transfers, 'inspect'>
}

/**
 * @throws Problem not_found, upload_expired, mailbox_suspended, upload_missing, upload_mismatch,
 * plan_capacity_exceeded; StoreUnavailable
 */
export async function finishUpload(deps: FinishDeps, actor: Author, uploadId: Uuid): Promise<Attachment> {
  assertMay(actor, 'writeAttachments')
  const upload = await findUpload(deps.database, actor, uploadId)
  // Looked for afterwards: an upload that is seen to be completed and has none now had one that is gone.
  const completed = await findAttachment(deps.database, actor, uploadId)
  if (completed) return completed
  if (!upload || upload.completedAt) throw problem('not_found')
  if (upload.isExpired) throw problem('upload_expired')
  await checkMailbox(deps.database, actor, upload.mailboxId)
  const state = await deps.transfers.inspect(upload)
  if (state.kind === 'missing') throw problem('upload_missing')
  if (state.kind === 'mismatch') throw problem('upload_mismatch', { details: { mismatch: state.of } })
  const object = attachmentKey(upload.tenantId, upload.id)
  const attachment = await deps.database.transaction(async (tx) => {
    if (await isCompleted(tx, upload)) {
      // The look at it may have put the object back when the attachment had come and gone.
      if (!(await isStored(tx, upload))) await removeLater(tx, [object], 0)
      return findAttachment(tx, actor, upload.id)
    }
    await keepObjects(tx, [object]).catch((error) => {
      // Its time has passed while it was being looked at.
      throw error instanceof ObjectsSwept ? problem('upload_expired') : error
    })
    await insertAttachments(tx, [{ ...upload, disposition: 'attachment', contentId: null }])
    await recordCompletion(tx, upload)
    await requireRoomTaken(tx, upload.tenantId, upload.sizeBytes)
    const act = { operation: 'completeAttachmentUpload', resourceType: 'attachment', resourceId: upload.id } as const
    await recordAct(tx, actor, act)
    return findAttachment(tx, actor, upload.id)
  })
  if (!attachment) throw problem('not_found')
  return attachment
}

/** Makes those that complete an upload take turns. Gives whether one of them has done it. */
async function isCompleted(tx: Tx, { tenantId, id }: Pick<Upload, 'tenantId' | 'id'>): Promise<boolean> {
  const row = await tx.first(sql<{ completed: boolean }>`
    select completed_at is not null as completed from uploads
    where tenant_id = ${tenantId} and id = ${id} for update`)
  return row?.completed ?? false
}

/** Whether the bytes of an attachment are wanted still, visible or held. */
async function isStored(db: Db, { tenantId, id }: Pick<Upload, 'tenantId' | 'id'>): Promise<boolean> {
  const row = await db.first(sql`select from attachments where tenant_id = ${tenantId} and id = ${id}`)
  return row !== undefined
}

/** Notes that it is the attachment now that was written before. */
async function recordCompletion(tx: Tx, { tenantId, id }: Pick<Upload, 'tenantId' | 'id'>): Promise<void> {
  await tx.rows(sql`
    update uploads u set completed_at = a.created_at from attachments a
    where u.tenant_id = ${tenantId} and u.id = ${id} and a.tenant_id = u.tenant_id and a.id = u.id`)
}
