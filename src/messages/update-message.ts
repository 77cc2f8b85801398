// Files and flags one mailbox's entry of a message, and says so in the log. Knows nothing of HTTP.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { notFoundField, problem } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import { appendEvents } from '../events/append.ts'
import { type Database, sql, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { type EventMessage, messageEvent } from './message-event.ts'
import type { UpdateMessageInput } from './schemas.ts'

/** What is to change: whatever is not named stays as it is, also when another request changes it meanwhile. */
export type MessageChange = Pick<UpdateMessageInput, 'isRead' | 'isStarred' | 'folder'>

/** @throws Problem not_found when there is no such message, or when that mailbox, own or not, holds no entry of it */
export async function updateMessage(
  database: Database,
  actor: TenantActor,
  messageId: Uuid,
  mailboxId: Uuid,
  change: MessageChange,
): Promise<void> {
  assertMay(actor, 'fileMessages')
  await database.transaction(async (tx) => {
    const message = await changeEntry(tx, actor, messageId, mailboxId, change)
    if (!message) throw (await isVisible(tx, actor, messageId)) ? notFoundField('mailboxId') : problem('not_found')
    await appendEvents(tx, [messageEvent('message.updated', message, message.mailbox_id, { changes: change })])
    await recordAct(tx, actor, { operation: 'updateMessage', resourceType: 'message', resourceId: message.id })
  })
}

/** One guarded statement over the row as it is when its turn comes. */
function changeEntry(
  tx: Tx,
  actor: TenantActor,
  messageId: Uuid,
  mailboxId: Uuid,
  { folder = null, isRead = null, isStarred = null }: { [K in keyof MessageChange]?: MessageChange[K] | null },
): Promise<(EventMessage & { mailbox_id: Uuid }) | undefined> {
  return tx.first(sql<EventMessage & { mailbox_id: Uuid }>`
    update message_entries e
    set folder = coalesce(${folder}, e.folder), is_read = coalesce(${isRead}, e.is_read),
      is_starred = coalesce(${isStarred}, e.is_starred),
      trashed_at = case
        when coalesce(${folder}, e.folder) <> 'trash' then null
        else coalesce(e.trashed_at, clock_timestamp()) end
    from messages m
    where m.tenant_id = ${actor.tenantId} and m.environment_id = ${actor.environmentId}
      and m.id = ${messageId} and m.gone is null
      and e.tenant_id = m.tenant_id and e.message_id = m.id and e.mailbox_id = ${mailboxId}
    returning m.id, e.mailbox_id, m.tenant_id, m.environment_id, m.direction, m.status, m.message_id, m.subject,
      m.from_address, m.from_name, m.to_addresses`)
}

async function isVisible(tx: Tx, actor: TenantActor, messageId: Uuid): Promise<boolean> {
  const row = await tx.first(sql<{ id: Uuid }>`
    select id from messages
    where tenant_id = ${actor.tenantId} and environment_id = ${actor.environmentId} and id = ${messageId}
      and gone is null`)
  return row !== undefined
}
