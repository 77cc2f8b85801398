// How messages end. One that is gone shows nowhere; its rows and bytes stay only while a legal hold keeps them.
// specification.md#end-of-a-message
import { sql, type Tx } from '../lib/sql.ts'
import { leaveConversations } from './conversations/leave-conversations.ts'
import { lockStates, type MessageRef } from './lock-message.ts'
import { lockShared } from './lock-shared.ts'
import { removeMessages } from './remove-messages.ts'
import { uncountMessages } from './uncount-messages.ts'

export type EndOfMessage = 'deleted' | 'expired' | 'purged'

/** From now on they show nowhere. Those that are not held go altogether. */
export async function endMessages(tx: Tx, messages: readonly MessageRef[], how: EndOfMessage): Promise<void> {
  if (messages.length === 0) return
  await lockStates(tx, messages)
  await uncountMessages(
    tx,
    messages.map(({ tenantId, id }) => ({ tenantId, messageId: id, mailboxId: null })),
  )
  const ended = await tx.rows(sql<MessageRef & { held: boolean }>`
    update messages m
    set gone = coalesce(m.gone, ${how}), gone_at = coalesce(m.gone_at, clock_timestamp())
    from unnest(${messages.map((m) => m.tenantId)}::uuid[], ${messages.map((m) => m.id)}::uuid[]) as n (tenant_id, id)
    where m.tenant_id = n.tenant_id and m.id = n.id
    returning m.tenant_id as "tenantId", m.id, m.held`)
  await lockShared(tx, ended)
  await leaveConversations(tx, ended)
  await removeMessages(
    tx,
    ended.filter((message) => !message.held),
  )
}
