// Deletes a message for good, from one mailbox or from all, as its users would.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { problem } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import type { Database, Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { deleteEntries } from './delete-entries.ts'
import { type MessageRef, mailboxesOf } from './lock-message.ts'
import { lockToEnd } from './lock-to-end.ts'

/**
 * `from`: one mailbox; null: all. Appends message.deleted. Succeeds when it is gone already.
 * @throws Problem as lockToEnd, and not_found when that mailbox does not have it
 */
export async function deleteMessage(
  database: Database,
  actor: TenantActor,
  id: Uuid,
  from: Uuid | null = null,
): Promise<void> {
  assertMay(actor, 'endMessages')
  await database.transaction(async (tx) => {
    const message = await lockToEnd(tx, actor, id)
    if (!message) return
    if (message.gone === null) await deleteFrom(tx, message, from)
    await recordAct(tx, actor, { operation: 'message.delete', resourceType: 'message', resourceId: id })
  })
}

async function deleteFrom(tx: Tx, { tenantId, id: messageId }: MessageRef, from: Uuid | null): Promise<void> {
  const all = await mailboxesOf(tx, { tenantId, id: messageId })
  const chosen = from === null ? all : all.filter((mailboxId) => mailboxId === from)
  if (chosen.length === 0) throw problem('not_found', { message: 'That mailbox does not have the message.' })
  const entries = chosen.map((mailboxId) => ({ tenantId, messageId, mailboxId }))
  await deleteEntries(tx, entries, 'deleted')
}
