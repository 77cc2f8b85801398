// Deletes messages from mailboxes for good. specification.md#end-of-a-message
import { appendEvents } from '../events/append.ts'
import { sql, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { endMessages } from './end-messages.ts'
import { lockStates } from './lock-message.ts'
import { type EventMessage, messageEvent } from './message-event.ts'
import { uncountMessages } from './uncount-messages.ts'

/**
 * Deletes entries for good, also those that are implied, with one event for each message. A message without entries is
 * gone. The caller has locked the messages: of two deletions at once one must see that it takes the last entry.
 */
export async function deleteEntries(
  tx: Tx,
  entries: readonly { tenantId: Uuid; messageId: Uuid; mailboxId: Uuid }[],
  reason: 'deleted' | 'trash_expired',
): Promise<void> {
  const messages = entries.map(({ tenantId, messageId }) => ({ tenantId, id: messageId }))
  await lockStates(tx, messages)
  await uncountMessages(tx, entries)
  const deleted = await tx.rows(sql<EventMessage & { mailbox_ids: Uuid[]; is_last: boolean }>`
    with gone as (
      delete from message_entries e
      using unnest(${entries.map((e) => e.tenantId)}::uuid[], ${entries.map((e) => e.messageId)}::uuid[],
        ${entries.map((e) => e.mailboxId)}::uuid[]) as n (tenant_id, message_id, mailbox_id)
      where e.tenant_id = n.tenant_id and e.message_id = n.message_id and e.mailbox_id = n.mailbox_id
      returning e.tenant_id, e.message_id, e.mailbox_id
    ),
    implied as (
      update messages m set in_sent = false
      from unnest(${entries.map((e) => e.tenantId)}::uuid[], ${entries.map((e) => e.messageId)}::uuid[],
        ${entries.map((e) => e.mailboxId)}::uuid[]) as n (tenant_id, message_id, mailbox_id)
      where m.tenant_id = n.tenant_id and m.id = n.message_id and m.mailbox_id = n.mailbox_id and m.in_sent
      returning m.tenant_id, m.id as message_id, m.mailbox_id
    ),
    of_message as (
      select g.tenant_id, g.message_id, array_agg(g.mailbox_id order by g.mailbox_id) as mailbox_ids
      from (
        select e.tenant_id, e.message_id, e.mailbox_id from gone e
        union all
        select i.tenant_id, i.message_id, i.mailbox_id from implied i
      ) g
      group by g.tenant_id, g.message_id
    )
    select m.id, m.tenant_id, m.environment_id, m.direction, coalesce(s.status, 'received') as status, m.message_id,
      m.subject, m.from_address, m.from_name, m.to_addresses, o.mailbox_ids,
      not (m.in_sent and m.mailbox_id <> all (o.mailbox_ids)) and not exists (
        select from message_entries e
        where e.tenant_id = m.tenant_id and e.message_id = m.id and e.mailbox_id <> all (o.mailbox_ids)) as is_last
    from of_message o
    join messages m on m.tenant_id = o.tenant_id and m.id = o.message_id
    left join message_states s on s.tenant_id = m.tenant_id and s.message_id = m.id
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
