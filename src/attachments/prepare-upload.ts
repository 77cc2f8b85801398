// Begins an upload of an application: says where its bytes are to be put, and until when.
import type { Application } from '../access/actor.ts'
import type { Replayable } from '../idempotency/answer-once.ts'
import { type AnnounceDeps, announceUpload } from './announce-upload.ts'
import type { PrepareAttachmentInput, PreparedAttachment } from './schemas.ts'
import type { Transfers } from './transfers.ts'

export interface PrepareDeps extends AnnounceDeps {
  transfers: Transfers
}

/** @throws Problem attachment_too_large, not_found, mailbox_suspended, plan_capacity_exceeded, upload_expired */
export async function prepareUpload(
  deps: PrepareDeps,
  actor: Application,
  key: string,
  input: PrepareAttachmentInput,
): Promise<Replayable<PreparedAttachment>> {
  const { uploadId, attachment, upload, replayed } = await announceUpload(deps, actor, key, input)
  if (attachment) return { body: { uploadId, attachment, upload: null }, replayed }
  const { url, headers } = await deps.transfers.uploadUrl(upload, actor.keyId)
  const place = { url, method: 'PUT' as const, headers, expiresAt: upload.expiresAt }
  return { body: { uploadId, attachment: null, upload: place }, replayed }
}
