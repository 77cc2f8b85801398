// One message and what decides how it may end, read under its lock.
import { sql, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import type { EndOfMessage } from './end-messages.ts'

export interface MessageRef {
  tenantId: Uuid
  id: Uuid
}

/** The message with this id, whoever's it is. Locked: what is read of it holds until the transaction ends. */
export function lockForOperator(
  tx: Tx,
  id: Uuid,
): Promise<(MessageRef & { gone: EndOfMessage | null; held: boolean }) | undefined> {
  return tx.first(sql<MessageRef & { gone: EndOfMessage | null; held: boolean }>`
    select tenant_id as "tenantId", id, gone, held from messages where id = ${id} for update`)
}

/**
 * Outcomes take turns on a message's state and then look whether it is gone: whoever ends it waits for those that are being
 * recorded, and those that come after see its end. Locked in the order in which outcomes lock them.
 */
export async function lockStates(tx: Tx, messages: readonly MessageRef[]): Promise<void> {
  await tx.rows(sql`
    select from message_states s
    where (s.tenant_id, s.message_id) in (
      select n.tenant_id, n.id
      from unnest(${messages.map((m) => m.tenantId)}::uuid[], ${messages.map((m) => m.id)}::uuid[]) as n (tenant_id, id))
    order by s.message_id for update`)
}

/** Whether someone is still to get it from the relay: a message that was put off for some is `sent` already. */
export async function isOnItsWay(tx: Tx, { tenantId, id }: MessageRef): Promise<boolean> {
  const row = await tx.first(sql`
    select from message_states where tenant_id = ${tenantId} and message_id = ${id} and open > 0`)
  return row !== undefined
}

/** The mailboxes that have it. */
export async function mailboxesOf(tx: Tx, { tenantId, id }: MessageRef): Promise<Uuid[]> {
  const rows = await tx.rows(sql<{ mailbox_id: Uuid }>`
    select mailbox_id from message_entries where tenant_id = ${tenantId} and message_id = ${id}
    union all
    select mailbox_id from messages where tenant_id = ${tenantId} and id = ${id} and in_sent`)
  return rows.map((row) => row.mailbox_id)
}
