// Deletes messages from mailboxes for good. specification.md#end-of-a-message
import { appendEvents } from '../events/append.ts'
import { sql, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { endMessages } from './end-messages.ts'
import { type EventMessage, messageEvent } from './message-event.ts'

/**
 * Deletes entries for good, with one event for each message. A message without entries is gone. The caller has
 * locked the messages: of two deletions at once one must see that it takes the last entry.
 */
export async function deleteEntries(
  tx: Tx,
  entries: readonly { tenantId: Uuid; messageId: Uuid; mailboxId: Uuid }[],
  reason: 'deleted' | 'trash_expired',
): Promise<void> {
  const deleted = await tx.rows(sql<EventMessage & { mailbox_ids: Uuid[]; is_last: boolean }>`
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
    deleted.map((message) =>
      messageEvent('message.deleted', message, message.mailbox_ids[0] ?? null, {
        mailboxIds: message.mailbox_ids,
        reason,
      }),
    ),
  )
  const ended = deleted.filter((message) => message.is_last)
  await endMessages(
    tx,
    ended.map((message) => ({ tenantId: message.tenant_id, id: message.id })),
    'deleted',
  )
}
