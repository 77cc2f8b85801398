// One attachment, to whoever may read it.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import type { Db } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { requireAttachment } from './find-attachment.ts'
import type { Attachment } from './schemas.ts'

/** @throws Problem not_found when it is absent or foreign, or when every message that it was in is gone */
export async function readAttachment(db: Db, actor: TenantActor, id: Uuid): Promise<Attachment> {
  assertMay(actor, 'readAttachments')
  return requireAttachment(db, actor, id)
}
