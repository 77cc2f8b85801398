// How messages end: entries deleted for good, messages expired and purged, and what a legal hold keeps of them. A
// message that is gone shows nowhere; its rows and bytes stay only while it is held.
// specification.md#end-of-a-message
import { appendEvents } from '../events/append.ts'
import { removeLater } from '../lib/object-removals.ts'
import { objectKey, readObjectKey } from '../lib/object-store.ts'
import { sql, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { type EventMessage, messageEventData } from './event-data.ts'

export interface MessageRef {
  tenantId: Uuid
  id: Uuid
}

export type EndOfMessage = 'deleted' | 'expired' | 'purged'

/**
 * Deletes entries for good and tells of it, once for each message. A message without entries is gone. The caller has
 * locked the messages: of two deletions at once one must see that it takes the last entry.
 */
export async function deleteEntries(
  tx: Tx,
  entries: readonly { tenantId: Uuid; messageId: Uuid; mailboxId: Uuid }[],
  reason: 'deleted' | 'trash_expired',
): Promise<void> {
  const deleted = await tx.rows(sql<EventMessage & { id: Uuid; mailbox_ids: Uuid[]; is_last: boolean }>`
    with gone as (
      delete from message_entries e
      using unnest(${entries.map((e) => e.tenantId)}::uuid[], ${entries.map((e) => e.messageId)}::uuid[],
        ${entries.map((e) => e.mailboxId)}::uuid[]) as n (tenant_id, message_id, mailbox_id)
      where e.tenant_id = n.tenant_id and e.message_id = n.message_id and e.mailbox_id = n.mailbox_id
      returning e.tenant_id, e.message_id, e.mailbox_id
    ),
    of_message as (
      select g.tenant_id, g.message_id, array_agg(g.mailbox_id order by g.mailbox_id) as mailbox_ids
      from gone g group by g.tenant_id, g.message_id
    )
    select m.id, m.tenant_id, m.environment_id, m.direction, m.status, m.message_id, m.subject, m.from_address,
      m.from_name, m.to_addresses, o.mailbox_ids,
      not exists (
        select from message_entries e
        where e.tenant_id = m.tenant_id and e.message_id = m.id and e.mailbox_id <> all (o.mailbox_ids)) as is_last
    from of_message o join messages m on m.tenant_id = o.tenant_id and m.id = o.message_id
    order by m.id`)
  await appendEvents(
    tx,
    deleted.map((message) => ({
      tenantId: message.tenant_id,
      environmentId: message.environment_id,
      type: 'message.deleted',
      resourceType: 'message',
      resourceId: message.id,
      data: messageEventData(message, message.mailbox_ids[0] ?? null, { mailboxIds: message.mailbox_ids, reason }),
    })),
  )
  const ended = deleted.filter((message) => message.is_last)
  await endMessages(
    tx,
    ended.map((message) => ({ tenantId: message.tenant_id, id: message.id })),
    'deleted',
  )
}

/**
 * Deletes a message for good whose bytes are no longer in the store, and tells of it: its owners' copies go as well. False
 * when it is left: it is held, gone already, or still on its way, where it is built again.
 */
export async function deleteLostMessage(tx: Tx, message: MessageRef): Promise<boolean> {
  const found = await lockForOperator(tx, message.id)
  if (!found || found.held || found.gone !== null || (await isOnItsWay(tx, message))) return false
  const mailboxes = await mailboxesOf(tx, message)
  const entries = mailboxes.map((mailboxId) => ({ tenantId: message.tenantId, messageId: message.id, mailboxId }))
  await deleteEntries(tx, entries, 'deleted')
  return true
}

/** From now on they show nowhere. Those that are not held go altogether. */
export async function endMessages(tx: Tx, messages: readonly MessageRef[], how: EndOfMessage): Promise<void> {
  if (messages.length === 0) return
  const ended = await tx.rows(sql<MessageRef & { held: boolean }>`
    update messages m
    set gone = coalesce(m.gone, ${how}), gone_at = coalesce(m.gone_at, clock_timestamp())
    from unnest(${messages.map((m) => m.tenantId)}::uuid[], ${messages.map((m) => m.id)}::uuid[]) as n (tenant_id, id)
    where m.tenant_id = n.tenant_id and m.id = n.id
    returning m.tenant_id as "tenantId", m.id, m.held`)
  await removeMessages(
    tx,
    ended.filter((message) => !message.held),
  )
}

/** Sets or lifts a legal hold. What was gone and only held goes when it is lifted. */
export async function setHeld(tx: Tx, { tenantId, id }: MessageRef, held: boolean): Promise<void> {
  const row = await tx.first(sql<{ gone: EndOfMessage | null }>`
    update messages set held = ${held} where tenant_id = ${tenantId} and id = ${id} returning gone`)
  if (row && !held && row.gone !== null) await removeMessages(tx, [{ tenantId, id }])
}

/** Every row of them, and their objects; an attachment goes with the last message that it was in. */
async function removeMessages(tx: Tx, messages: readonly MessageRef[]): Promise<void> {
  if (messages.length === 0) return
  const tenants = messages.map((m) => m.tenantId)
  const ids = messages.map((m) => m.id)
  await lockShared(tx, tenants, ids)
  const removed = await tx.rows(sql<{ object_key: string }>`
    with given as materialized (
      select n.tenant_id, n.id from unnest(${tenants}::uuid[], ${ids}::uuid[]) as n (tenant_id, id)
    ),
    bodies as (
      delete from message_bodies b using given g where b.tenant_id = g.tenant_id and b.message_id = g.id
    ),
    contents as (
      delete from message_contents c using given g where c.tenant_id = g.tenant_id and c.message_id = g.id
    ),
    recipients as (
      delete from message_recipients r using given g where r.tenant_id = g.tenant_id and r.message_id = g.id
    ),
    entries as (
      delete from message_entries e using given g where e.tenant_id = g.tenant_id and e.message_id = g.id
    ),
    links as (
      delete from message_attachments h using given g where h.tenant_id = g.tenant_id and h.message_id = g.id
      returning h.tenant_id, h.attachment_id
    ),
    files as (
      delete from attachments a using links l
      where a.tenant_id = l.tenant_id and a.id = l.attachment_id and not exists (
        select from message_attachments o
        where o.tenant_id = a.tenant_id and o.attachment_id = a.id and not exists (
          select from given g where g.tenant_id = o.tenant_id and g.id = o.message_id))
      returning a.object_key
    ),
    gone as (
      delete from messages m using given g where m.tenant_id = g.tenant_id and m.id = g.id
    )
    select object_key from files`)
  // A worker that was killed may have stored a message and not have come to say so.
  const keys = messages.map(({ tenantId, id }) => objectKey('messages', tenantId, id))
  await removeLater(tx, [...keys, ...removed.map((row) => readObjectKey(row.object_key))], 0)
}

/**
 * What these messages share with others, in an order that all keep. A send that takes one of the attachments at this
 * moment, or the removal of another message that has it, is waited for; the next statement sees what came of it. The
 * counters of stored bytes are locked here as the removal would otherwise take them twice, each time from the start.
 */
async function lockShared(tx: Tx, tenants: Uuid[], ids: Uuid[]): Promise<void> {
  await tx.rows(sql`
    select a.id from attachments a
    where (a.tenant_id, a.id) in (
      select h.tenant_id, h.attachment_id from message_attachments h
      join unnest(${tenants}::uuid[], ${ids}::uuid[]) as n (tenant_id, id)
        on h.tenant_id = n.tenant_id and h.message_id = n.id)
    order by a.tenant_id, a.id for update`)
  await tx.rows(sql`
    select tenant_id from tenant_storage where tenant_id = any(${tenants}::uuid[])
    order by tenant_id for no key update`)
}

/** The message with this id, whoever's it is. Locked: what is read of it holds until the transaction ends. */
export function lockForOperator(
  tx: Tx,
  id: Uuid,
): Promise<(MessageRef & { gone: EndOfMessage | null; held: boolean }) | undefined> {
  return tx.first(sql<MessageRef & { gone: EndOfMessage | null; held: boolean }>`
    select tenant_id as "tenantId", id, gone, held from messages where id = ${id} for update`)
}

/** Whether someone is still to get it from the relay: a message that was put off for some is `sent` already. */
export async function isOnItsWay(tx: Tx, { tenantId, id }: MessageRef): Promise<boolean> {
  const row = await tx.first(sql`
    select from message_recipients where tenant_id = ${tenantId} and message_id = ${id} and status = 'queued' limit 1`)
  return row !== undefined
}

/** The mailboxes that have it. */
export async function mailboxesOf(tx: Tx, { tenantId, id }: MessageRef): Promise<Uuid[]> {
  const rows = await tx.rows(sql<{ mailbox_id: Uuid }>`
    select mailbox_id from message_entries where tenant_id = ${tenantId} and message_id = ${id}`)
  return rows.map((row) => row.mailbox_id)
}
