// Announces an upload of whoever may write files: what is to come, and until when.
import type { Author, Realm } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { problem } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import { answerOnce } from '../idempotency/answer-once.ts'
import { removeLater } from '../lib/object-removals.ts'
import { type Database, type Db, sql, type Tx } from '../lib/sql.ts'
import { newId, type Uuid } from '../lib/uuid.ts'
import { checkMailbox } from './check-mailbox.ts'
import { findAttachment } from './find-attachment.ts'
import { findUpload, type Upload } from './find-upload.ts'
import { type Attachment, MAX_ATTACHMENT_BYTES, type PrepareAttachmentInput } from './schemas.ts'
import { requireRoom } from './storage-of-tenant.ts'
import type { Transfers } from './transfers.ts'

export interface AnnounceDeps {
  database: Database
  transfers: Pick<Transfers, 'objects' | 'lateMs'>
  idempotencyTtlSeconds: number
  uploadTtlSeconds: number
}

/** As its author sees it, now and on every retry: what is to come, or the attachment that it became. */
export type AnnouncedUpload = { uploadId: Uuid } & (
  | { attachment: Attachment; upload: null }
  | { attachment: null; upload: Upload }
)

/** @throws Problem attachment_too_large, not_found, mailbox_suspended, plan_capacity_exceeded, upload_expired */
export async function announceUpload(
  deps: AnnounceDeps,
  actor: Author,
  key: string,
  input: PrepareAttachmentInput,
): Promise<AnnouncedUpload & { replayed: boolean }> {
  assertMay(actor, 'writeAttachments')
  if (input.sizeBytes > MAX_ATTACHMENT_BYTES) throw problem('attachment_too_large')
  const keyed = { key, operation: 'prepareAttachmentUpload' as const, target: '', input }
  const { body, replayed } = await deps.database.transaction((tx) =>
    answerOnce(tx, actor, keyed, deps.idempotencyTtlSeconds, async () => {
      await checkMailbox(tx, actor, input.mailboxId)
      await requireRoom(tx, actor.tenantId, input.sizeBytes)
      const id = newId()
      await insertUpload(tx, actor, { ...input, id }, deps.uploadTtlSeconds)
      const objects = deps.transfers.objects({ tenantId: actor.tenantId, id })
      await removeLater(tx, objects, deps.uploadTtlSeconds * 1000 + deps.transfers.lateMs)
      await recordAct(tx, actor, { operation: keyed.operation, resourceType: 'upload', resourceId: id })
      return { status: 201, resourceId: id, body: { uploadId: id } }
    }),
  )
  return { ...(await showUpload(deps.database, actor, body.uploadId)), replayed }
}

async function insertUpload(
  tx: Tx,
  realm: Realm,
  upload: Pick<Upload, 'id' | 'mailboxId' | 'filename' | 'mediaType' | 'sizeBytes' | 'sha256'>,
  ttlSeconds: number,
): Promise<void> {
  await tx.rows(sql`
    insert into uploads (tenant_id, id, environment_id, mailbox_id, filename, media_type, size_bytes, sha256,
      created_at, expires_at)
    select ${realm.tenantId}, ${upload.id}, ${realm.environmentId}, ${upload.mailboxId}, ${upload.filename},
      ${upload.mediaType}, ${upload.sizeBytes}, decode(${upload.sha256}, 'hex'), at,
      at + make_interval(secs => ${ttlSeconds})
    from clock_timestamp() as at`)
}

/** @throws Problem upload_expired */
async function showUpload(db: Db, realm: Realm, uploadId: Uuid): Promise<AnnouncedUpload> {
  const upload = await findUpload(db, realm, uploadId)
  const attachment = (await findAttachment(db, realm, uploadId)) ?? (upload && asCompleted(upload))
  if (attachment) return { uploadId, attachment, upload: null }
  if (!upload || upload.isExpired) throw problem('upload_expired')
  return { uploadId, attachment: null, upload }
}

/** The attachment that an upload became, also when it is gone since: a retry is answered like the first. */
function asCompleted(upload: Upload): Attachment | undefined {
  const { id, mailboxId, filename, mediaType, sizeBytes, sha256, completedAt } = upload
  if (!completedAt) return undefined
  const content = { filename, mediaType, sizeBytes, sha256, disposition: 'attachment', contentId: null } as const
  return { id, mailboxId, messageId: null, ...content, createdAt: completedAt }
}
