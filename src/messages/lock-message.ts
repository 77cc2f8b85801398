// One message and what decides how it may end, read under its lock.
import type { Realm } from '../access/actor.ts'
import { sql, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import type { EndOfMessage } from './end-messages.ts'

export interface MessageRef {
  tenantId: Uuid
  id: Uuid
}

export interface LockedMessage extends MessageRef {
  gone: EndOfMessage | null
  held: boolean
}

/**
 * What is read of it holds until the transaction ends. Undefined when it is absent, foreign or removed; one that is gone and
 * only held is found.
 */
export function lockMessage(tx: Tx, realm: Realm, id: Uuid): Promise<LockedMessage | undefined> {
  return tx.first(sql<LockedMessage>`
    select tenant_id as "tenantId", id, gone, held from messages
    where tenant_id = ${realm.tenantId} and environment_id = ${realm.environmentId} and id = ${id} for update`)
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
