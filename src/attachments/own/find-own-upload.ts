// An upload of a mailbox in which the user writes. To whoever may only read there it is absent, as what is being written is.
import type { MailboxUser } from '../../access/actor.ts'
import { assertMay } from '../../access/permissions.ts'
import { problem } from '../../access/problem.ts'
import type { Db } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'
import { findUpload, type Upload } from '../find-upload.ts'

/** @throws Problem not_found */
export async function findOwnUpload(db: Db, actor: MailboxUser, id: Uuid): Promise<Upload> {
  assertMay(actor, 'writeAttachments')
  const upload = await findUpload(db, actor, id)
  if (!upload || actor.mailboxes.get(upload.mailboxId) !== 'write') throw problem('not_found')
  return upload
}
