// Makes an attachment of a mailbox user's upload.
import type { MailboxUser } from '../../access/actor.ts'
import type { Uuid } from '../../lib/uuid.ts'
import { type FinishDeps, finishUpload } from '../finish-upload.ts'
import type { Attachment } from '../schemas.ts'
import { findOwnUpload } from './find-own-upload.ts'

/**
 * @throws Problem not_found, upload_expired, mailbox_suspended, upload_missing, upload_mismatch,
 * plan_capacity_exceeded; StoreUnavailable
 */
export async function completeOwnUpload(deps: FinishDeps, actor: MailboxUser, uploadId: Uuid): Promise<Attachment> {
  await findOwnUpload(deps.database, actor, uploadId)
  return finishUpload(deps, actor, uploadId)
}
