// Gives a small file in an answer of JSON.
import { buffer } from 'node:stream/consumers'
import type { Application } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { problem } from '../access/problem.ts'
import { ObjectMissing, type ObjectStore } from '../lib/object-store.ts'
import type { Db } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { attachmentKey } from './attachment-key.ts'
import { requireAttachment } from './find-attachment.ts'
import { type Attachment, MAX_LEGACY_BYTES } from './schemas.ts'

/** An attachment that is small enough to go as JSON. @throws Problem not_found, attachment_too_large */
export async function findForJson(db: Db, actor: Application, id: Uuid): Promise<Attachment> {
  assertMay(actor, 'readAttachments')
  const attachment = await requireAttachment(db, actor, id)
  if (attachment.sizeBytes <= MAX_LEGACY_BYTES) return attachment
  const message = 'The JSON transport gives 3 MiB. Use GET /v1/attachments/{attachmentId}/download-url.'
  throw problem('attachment_too_large', { message })
}

/** @throws StoreUnavailable */
export async function downloadInJson(
  store: ObjectStore,
  actor: Application,
  { id, filename, mediaType }: Attachment,
): Promise<{ filename: string; mediaType: string; contentBase64: string }> {
  const key = attachmentKey(actor.tenantId, id)
  const bytes = await store.get(key)
  if (!bytes) throw new ObjectMissing(key)
  return { filename, mediaType, contentBase64: (await buffer(bytes)).toString('base64') }
}
