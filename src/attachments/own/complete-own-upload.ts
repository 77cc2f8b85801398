// Makes an attachment of a mailbox user's upload.
import type { MailboxUser } from '../../access/actor.ts'
import type { Uuid } from '../../lib/uuid.ts'
import { findUpload } from '../find-upload.ts'
import { type FinishDeps, finishUpload } from '../finish-upload.ts'
import type { Attachment } from '../schemas.ts'
import { assertWritesFrom } from './assert-writes-from.ts'

/**
 * @throws Problem not_found, not_allowed, upload_expired, mailbox_suspended, upload_missing, upload_mismatch,
 * plan_capacity_exceeded; StoreUnavailable
 */
export async function completeOwnUpload(deps: FinishDeps, actor: MailboxUser, uploadId: Uuid): Promise<Attachment> {
  const upload = await findUpload(deps.database, actor, uploadId)
  assertWritesFrom(actor, upload?.mailboxId)
  return finishUpload(deps, actor, uploadId)
}
