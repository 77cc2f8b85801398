// Whether a user may see the images that a message names and somebody else has, at this moment.
import type { MailboxUser } from '../../access/actor.ts'
import { problem } from '../../access/problem.ts'
import { type Db, sql } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'
import type { Authentication } from '../../mail/authenticate/authentication.ts'
import { imagesOfMessage } from './images-of-message.ts'
import { ownEntries } from './own-entries.ts'

/** @throws Problem not_found, not_allowed with the reason in words */
export async function requireRemoteImages(db: Db, actor: MailboxUser, messageId: Uuid): Promise<void> {
  const mailboxes = await ownEntries(db, actor, messageId)
  // Asked for each image: what is in the message is not read.
  const contents = await db.first(sql<{ authentication: Authentication | null }>`
    select authentication from message_contents where tenant_id = ${actor.tenantId} and message_id = ${messageId}`)
  const { why } = imagesOfMessage({ mailboxes, authentication: contents?.authentication ?? null }, false)
  if (why !== null) throw problem('not_allowed', { message: why })
}
