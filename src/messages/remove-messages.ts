// Removes messages altogether: their rows at once, and their objects soon after the transaction.
import { removeLater } from '../lib/object-removals.ts'
import { objectKey, readObjectKey } from '../lib/object-store.ts'
import { sql, type Tx } from '../lib/sql.ts'
import type { MessageRef } from './lock-message.ts'

/**
 * Every row of them, and their objects; an attachment goes with the last message that it was in, unless a draft has it. The caller has locked what
 * they share (lock-shared.ts).
 */
export async function removeMessages(tx: Tx, messages: readonly MessageRef[]): Promise<void> {
  if (messages.length === 0) return
  const tenants = messages.map((m) => m.tenantId)
  const ids = messages.map((m) => m.id)
  const removed = await tx.rows(sql<{ object_key: string }>`
    with given as materialized (
      select n.tenant_id, n.id from unnest(${tenants}::uuid[], ${ids}::uuid[]) as n (tenant_id, id)
    ),
    states as (
      delete from message_states s using given g where s.tenant_id = g.tenant_id and s.message_id = g.id
    ),
    tries as (
      delete from submission_tries t using given g where t.tenant_id = g.tenant_id and t.message_id = g.id
    ),
    contents as (
      delete from message_contents c using given g where c.tenant_id = g.tenant_id and c.message_id = g.id
    ),
    found as (
      delete from message_search f using given g where f.tenant_id = g.tenant_id and f.message_id = g.id
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
        and not exists (select from draft_attachments d where d.tenant_id = a.tenant_id and d.attachment_id = a.id)
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
