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
    const message =
      (await changeEntry(tx, actor, messageId, mailboxId, change)) ??
      (await changeImpliedEntry(tx, actor, messageId, mailboxId, change)) ??
      // Another request has touched it first, meanwhile.
      (await changeEntry(tx, actor, messageId, mailboxId, change))
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
    left join message_states s on s.tenant_id = m.tenant_id and s.message_id = m.id
    where m.tenant_id = ${actor.tenantId} and m.environment_id = ${actor.environmentId}
      and m.id = ${messageId} and m.gone is null
      and e.tenant_id = m.tenant_id and e.message_id = m.id and e.mailbox_id = ${mailboxId}
    returning m.id, e.mailbox_id, m.tenant_id, m.environment_id, m.direction,
      coalesce(s.status, 'received') as status, m.message_id, m.subject, m.from_address, m.from_name, m.to_addresses`)
}

/**
 * The sender's entry is implied by the message until it is first touched. Whoever clears the flag writes the row: of two at
 * once one waits for the other, and finds the flag cleared.
 */
function changeImpliedEntry(
  tx: Tx,
  actor: TenantActor,
  messageId: Uuid,
  mailboxId: Uuid,
  { folder = null, isRead = null, isStarred = null }: { [K in keyof MessageChange]?: MessageChange[K] | null },
): Promise<(EventMessage & { mailbox_id: Uuid }) | undefined> {
  return tx.first(sql<EventMessage & { mailbox_id: Uuid }>`
    with touched as (
      update messages m set in_sent = false
      where m.tenant_id = ${actor.tenantId} and m.environment_id = ${actor.environmentId} and m.id = ${messageId}
        and m.mailbox_id = ${mailboxId} and m.in_sent and m.gone is null
      returning m.id, m.mailbox_id, m.tenant_id, m.environment_id, m.created_at, m.seq, m.direction, m.message_id, m.subject,
        m.from_address, m.from_name, m.to_addresses
    ),
    entry as (
      insert into message_entries (tenant_id, message_id, mailbox_id, environment_id, created_at, seq, folder, is_read,
        is_starred, trashed_at)
      select t.tenant_id, t.id, t.mailbox_id, t.environment_id, t.created_at, t.seq, coalesce(${folder}, 'sent'),
        coalesce(${isRead}, true), coalesce(${isStarred}, false),
        case when ${folder} = 'trash' then clock_timestamp() end
      from touched t
    )
    select t.id, t.mailbox_id, t.tenant_id, t.environment_id, t.direction, s.status, t.message_id, t.subject,
      t.from_address, t.from_name, t.to_addresses
    from touched t join message_states s on s.tenant_id = t.tenant_id and s.message_id = t.id`)
}

async function isVisible(tx: Tx, actor: TenantActor, messageId: Uuid): Promise<boolean> {
  const row = await tx.first(sql<{ id: Uuid }>`
    select id from messages
    where tenant_id = ${actor.tenantId} and environment_id = ${actor.environmentId} and id = ${messageId}
      and gone is null`)
  return row !== undefined
}
