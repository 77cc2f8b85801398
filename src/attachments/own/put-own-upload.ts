// Takes the bytes of a mailbox user's upload. Knows nothing of HTTP.
import type { MailboxUser } from '../../access/actor.ts'
import type { Uuid } from '../../lib/uuid.ts'
import { type SentBytes, type TakeDeps, takeBytes } from '../take-bytes.ts'
import { findOwnUpload } from './find-own-upload.ts'

/** @throws Problem not_found, upload_expired, upload_mismatch; StoreUnavailable */
export async function putOwnUpload(deps: TakeDeps, actor: MailboxUser, id: Uuid, sent: SentBytes): Promise<void> {
  await takeBytes(deps, await findOwnUpload(deps.database, actor, id), sent)
}
