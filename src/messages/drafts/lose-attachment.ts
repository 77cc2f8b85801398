// Takes a file out of the drafts that have it, as the object store has lost it. Whoever writes them is told: none is sent without.
import type { Realm } from '../../access/actor.ts'
import { type Database, sql } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'

/** One that is to be sent is open again. Whoever saves it with the file from then on is refused. */
export function loseAttachment(database: Database, { tenantId }: Realm, attachmentId: Uuid): Promise<void> {
  return database.transaction(async (tx) => {
    const drafts = await tx.rows(sql<{ id: Uuid }>`
      select d.id from drafts d
      where d.tenant_id = ${tenantId} and d.id in (
        select h.draft_id from draft_attachments h
        where h.tenant_id = ${tenantId} and h.attachment_id = ${attachmentId})
      order by d.id for update`)
    const ids = drafts.map(({ id }) => id)
    await tx.rows(sql`
      delete from draft_attachments
      where tenant_id = ${tenantId} and draft_id = any(${ids}::uuid[]) and attachment_id = ${attachmentId}`)
    await tx.rows(sql`
      update drafts set due_at = null, is_scheduled = null, sender_id = null, client_address = null, user_agent = null,
        request_id = null, failure_code = 'not_found', failure_message = ${LOST}
      where tenant_id = ${tenantId} and id = any(${ids}::uuid[])`)
  })
}

const LOST = 'A file of it was lost. Attach it again.'
