// Uploads and downloads of attachments, whatever store holds their bytes. Knows nothing of HTTP.

import { buffer } from 'node:stream/consumers'
import type { Application } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { notFoundField, type Problem, problem } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import { answerOnce } from '../idempotency/answer-once.ts'
import { keepObjects, ObjectsSwept, removeLater } from '../lib/object-removals.ts'
import { ObjectMissing, type ObjectStore } from '../lib/object-store.ts'
import type { Database, Db, Tx } from '../lib/sql.ts'
import { newId, type Uuid } from '../lib/uuid.ts'
import {
  type Attachment,
  type AttachmentDownload,
  MAX_ATTACHMENT_BYTES,
  MAX_LEGACY_BYTES,
  type PrepareAttachmentInput,
  type PreparedAttachment,
  type UploadAttachmentInput,
} from './schemas.ts'
import {
  attachmentKey,
  findAttachment,
  findUpload,
  insertAttachments,
  insertUpload,
  instantIn,
  isCompleted,
  isStored,
  mailboxState,
  recordCompletion,
  storageOf,
  type Upload,
} from './store.ts'
import type { Transfers } from './transfers.ts'

export interface AttachmentDeps {
  database: Database
  store: ObjectStore
  transfers: Transfers
  idempotencyTtlSeconds: number
  uploadTtlSeconds: number
  downloadTtlSeconds: number
}

/** How long an object may stay that no attachment has claimed: longer than any request that writes one. */
const UNCLAIMED_MS = 60 * 60 * 1000
export const NOT_THIS_WAY = 'The JSON transport takes 3 MiB. Use the direct upload: POST /v1/attachments/uploads.'

export interface Replayable<T> {
  body: T
  replayed: boolean
}

/** @throws Problem attachment_too_large, not_found, mailbox_suspended, plan_capacity_exceeded, upload_expired */
export async function prepareUpload(
  deps: AttachmentDeps,
  actor: Application,
  key: string,
  input: PrepareAttachmentInput,
): Promise<Replayable<PreparedAttachment>> {
  assertMay(actor, 'writeAttachments')
  if (input.sizeBytes > MAX_ATTACHMENT_BYTES) throw problem('attachment_too_large')
  const keyed = { key, operation: 'prepareAttachmentUpload', target: '', input }
  const { body, replayed } = await deps.database.transaction((tx) =>
    answerOnce(tx, actor, keyed, deps.idempotencyTtlSeconds, async () => {
      await checkMailbox(tx, actor, input.mailboxId)
      await checkRoom(tx, actor.tenantId, input.sizeBytes)
      const id = newId()
      await insertUpload(tx, actor, { ...input, id }, deps.uploadTtlSeconds)
      const objects = deps.transfers.objects({ tenantId: actor.tenantId, id })
      await removeLater(tx, objects, deps.uploadTtlSeconds * 1000 + deps.transfers.lateMs)
      await recordAct(tx, actor, { operation: keyed.operation, resourceType: 'upload', resourceId: id })
      return { status: 201, resourceId: id, body: { uploadId: id } }
    }),
  )
  return { body: await showUpload(deps, actor, body.uploadId), replayed }
}

/** An upload as its preparer sees it, now and on every retry. @throws Problem upload_expired */
async function showUpload(deps: AttachmentDeps, actor: Application, uploadId: Uuid): Promise<PreparedAttachment> {
  const upload = await findUpload(deps.database, actor, uploadId)
  const attachment = (await findAttachment(deps.database, actor, uploadId)) ?? (upload && asCompleted(upload))
  if (attachment) return { uploadId, attachment, upload: null }
  if (!upload || upload.isExpired) throw problem('upload_expired')
  const { url, headers } = await deps.transfers.uploadUrl(upload, actor.keyId)
  return { uploadId, attachment: null, upload: { url, method: 'PUT', headers, expiresAt: upload.expiresAt } }
}

/** The attachment that an upload became, also when it is gone since: a retry is answered like the first. */
function asCompleted(upload: Upload): Attachment | undefined {
  const { id, mailboxId, filename, mediaType, sizeBytes, sha256, completedAt } = upload
  if (!completedAt) return undefined
  const content = { filename, mediaType, sizeBytes, sha256, disposition: 'attachment', contentId: null } as const
  return { id, mailboxId, messageId: null, ...content, createdAt: completedAt }
}

/**
 * @throws Problem not_found, upload_expired, mailbox_suspended, upload_missing, upload_mismatch,
 * plan_capacity_exceeded; StoreUnavailable
 */
export async function completeUpload(deps: AttachmentDeps, actor: Application, uploadId: Uuid): Promise<Attachment> {
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
    await checkRoomTaken(tx, upload.tenantId, upload.sizeBytes)
    const act = { operation: 'completeAttachmentUpload', resourceType: 'attachment', resourceId: upload.id }
    await recordAct(tx, actor, act)
    return findAttachment(tx, actor, upload.id)
  })
  if (!attachment) throw problem('not_found')
  return attachment
}

/**
 * `id` is what the attachment will be called, for which the key is held.
 * @throws Problem attachment_too_large, not_found, mailbox_suspended, plan_capacity_exceeded; StoreUnavailable
 */
export async function uploadInJson(
  deps: AttachmentDeps,
  actor: Application,
  { key, id }: { key: string; id: Uuid },
  input: UploadAttachmentInput,
): Promise<Replayable<{ attachment: Attachment }>> {
  assertMay(actor, 'writeAttachments')
  const bytes = Buffer.from(input.contentBase64, 'base64')
  if (bytes.length > MAX_LEGACY_BYTES) throw problem('attachment_too_large', { message: NOT_THIS_WAY })
  const object = attachmentKey(actor.tenantId, id)
  // Stored before the key is looked at: what a retry stores goes again.
  await removeLater(deps.database, [object], UNCLAIMED_MS)
  const { sizeBytes, sha256 } = await deps.store.put(object, bytes, bytes.length)
  const keyed = { key, operation: 'uploadAttachment', target: '', input, heldFor: id }
  return deps.database.transaction((tx) =>
    answerOnce(tx, actor, keyed, deps.idempotencyTtlSeconds, async () => {
      await checkMailbox(tx, actor, input.mailboxId)
      await keepObjects(tx, [object])
      const { mailboxId, filename, mediaType } = input
      const { tenantId, environmentId } = actor
      const content = { sizeBytes, sha256, disposition: 'attachment', contentId: null } as const
      await insertAttachments(tx, [{ tenantId, id, environmentId, mailboxId, filename, mediaType, ...content }])
      await checkRoomTaken(tx, actor.tenantId, sizeBytes)
      const act = { operation: keyed.operation, resourceType: 'attachment', resourceId: id }
      await recordAct(tx, actor, act)
      const attachment = (await findAttachment(tx, actor, id)) as Attachment
      return { status: 201, resourceId: id, body: { attachment } }
    }),
  )
}

async function checkMailbox(db: Db, actor: Application, mailboxId: Uuid): Promise<void> {
  const state = await mailboxState(db, actor, mailboxId)
  if (!state) throw notFoundField('mailboxId')
  if (state === 'suspended') throw problem('mailbox_suspended')
}

/** Of what is announced: others may take the room before it comes. */
async function checkRoom(db: Db, tenantId: Uuid, sizeBytes: number): Promise<void> {
  const { used, limit } = await storageOf(db, tenantId)
  if (limit > 0 && used + sizeBytes > limit) throw noRoom(used, limit)
}

/** Of what this transaction has written, which keeps the tenant's sum locked: no two take the same room. */
async function checkRoomTaken(tx: Tx, tenantId: Uuid, sizeBytes: number): Promise<void> {
  const { used, limit } = await storageOf(tx, tenantId)
  if (limit > 0 && used > limit) throw noRoom(used - sizeBytes, limit)
}

function noRoom(used: number, limit: number): Problem {
  return problem('plan_capacity_exceeded', { details: { resource: 'storage', limit, used, resetsAt: null } })
}

/** @throws Problem not_found */
export async function downloadUrl(deps: AttachmentDeps, actor: Application, id: Uuid): Promise<AttachmentDownload> {
  assertMay(actor, 'readAttachments')
  const attachment = await mustFind(deps, actor, id)
  const { filename, mediaType, sizeBytes, sha256 } = attachment
  const ttlSeconds = deps.downloadTtlSeconds
  const expiresAt = await instantIn(deps.database, ttlSeconds)
  const { tenantId, keyId } = actor
  const link = { tenantId, keyId, id: attachment.id, filename, mediaType, expiresAt, ttlSeconds }
  return { url: await deps.transfers.downloadUrl(link), expiresAt, filename, mediaType, sizeBytes, sha256 }
}

/** An attachment that is small enough to go as JSON. @throws Problem not_found, attachment_too_large */
export async function findForJson(deps: AttachmentDeps, actor: Application, id: Uuid): Promise<Attachment> {
  assertMay(actor, 'readAttachments')
  const attachment = await mustFind(deps, actor, id)
  if (attachment.sizeBytes <= MAX_LEGACY_BYTES) return attachment
  const message = 'The JSON transport gives 3 MiB. Use GET /v1/attachments/{attachmentId}/download-url.'
  throw problem('attachment_too_large', { message })
}

/** @throws StoreUnavailable */
export async function downloadInJson(
  deps: AttachmentDeps,
  actor: Application,
  { id, filename, mediaType }: Attachment,
): Promise<{ filename: string; mediaType: string; contentBase64: string }> {
  const key = attachmentKey(actor.tenantId, id)
  const bytes = await deps.store.get(key)
  if (!bytes) throw new ObjectMissing(key)
  return { filename, mediaType, contentBase64: (await buffer(bytes)).toString('base64') }
}

async function mustFind(deps: AttachmentDeps, actor: Application, id: Uuid): Promise<Attachment> {
  const attachment = await findAttachment(deps.database, actor, id)
  if (!attachment) throw problem('not_found')
  return attachment
}
