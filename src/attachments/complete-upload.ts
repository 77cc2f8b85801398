// Makes an attachment of an application's upload.
import type { Application } from '../access/actor.ts'
import type { Uuid } from '../lib/uuid.ts'
import { type FinishDeps, finishUpload } from './finish-upload.ts'
import type { Attachment } from './schemas.ts'

/**
 * @throws Problem not_found, upload_expired, mailbox_suspended, upload_missing, upload_mismatch,
 * plan_capacity_exceeded; StoreUnavailable
 */
export function completeUpload(deps: FinishDeps, actor: Application, uploadId: Uuid): Promise<Attachment> {
  return finishUpload(deps, actor, uploadId)
}
