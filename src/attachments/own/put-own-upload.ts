// Takes the bytes of a mailbox user's upload. Knows nothing of HTTP.
import type { MailboxUser } from '../../access/actor.ts'
import { problem } from '../../access/problem.ts'
import type { Uuid } from '../../lib/uuid.ts'
import { findUpload } from '../find-upload.ts'
import { type SentBytes, type TakeDeps, takeBytes } from '../take-bytes.ts'
import { assertWritesFrom } from './assert-writes-from.ts'

/** @throws Problem not_found, not_allowed, upload_expired, upload_mismatch; StoreUnavailable */
export async function putOwnUpload(deps: TakeDeps, actor: MailboxUser, id: Uuid, sent: SentBytes): Promise<void> {
  const upload = await findUpload(deps.database, actor, id)
  assertWritesFrom(actor, upload?.mailboxId)
  if (!upload) throw problem('not_found')
  await takeBytes(deps, upload, sent)
}
