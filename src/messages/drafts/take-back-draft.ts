// Takes back what was to be sent, as long as it has not become a message.
import type { MailboxUser } from '../../access/actor.ts'
import { assertMay } from '../../access/permissions.ts'
import { absent } from '../../access/problem.ts'
import { removeScheduledJob } from '../../lib/queue/remove-scheduled-job.ts'
import { type Database, sql } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'
import type { StoredDraft } from './draft.ts'
import { lockDraft } from './lock-draft.ts'
import { findDraft } from './read-draft.ts'
import { DRAFT_QUEUE } from './send-draft.ts'

/** Its job goes with it; one that a worker has by then finds nothing that is due. Succeeds when it is not due. @throws Problem not_found, also when it has been sent */
export async function takeBackDraft(database: Database, actor: MailboxUser, draftId: Uuid): Promise<StoredDraft> {
  assertMay(actor, 'sendMessages')
  const id = draftId.toLowerCase()
  return database.transaction(async (tx) => {
    const draft = await lockDraft(tx, actor, id)
    if (!draft || draft === 'absent') throw absent('draft')
    if (draft.dueAt !== null) {
      await removeScheduledJob(tx, { tenantId: actor.tenantId, queue: DRAFT_QUEUE, subjectId: id, dueAt: draft.dueAt })
    }
    await tx.rows(sql`
      update drafts set due_at = null, is_scheduled = null, sender_id = null, client_address = null, user_agent = null,
        request_id = null
      where tenant_id = ${actor.tenantId} and id = ${id} and due_at is not null`)
    return (await findDraft(tx, actor, id)) as StoredDraft
  })
}
