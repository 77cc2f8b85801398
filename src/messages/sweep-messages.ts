// Ends what has lain in the trash for long enough, and what is older than its tenant's plan keeps. Batch by batch;
// what another process has in hands is passed over.
import { type Database, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { deleteEntries } from './delete-entries.ts'
import { endMessages } from './end-messages.ts'
import type { MessageRef } from './lock-message.ts'

/** Gives how many entries went. specification.md#end-of-a-message */
export function sweepTrash(database: Database, ttlMs: number, limit: number): Promise<number> {
  return database.transaction(async (tx) => {
    // A message on its way to anyone is not taken from under its worker.
    const entries = await tx.rows(sql<{ tenantId: Uuid; messageId: Uuid; mailboxId: Uuid }>`
      select e.tenant_id as "tenantId", e.message_id as "messageId", e.mailbox_id as "mailboxId"
      from message_entries e
      join messages m on m.tenant_id = e.tenant_id and m.id = e.message_id and m.gone is null
      where e.trashed_at < statement_timestamp() - ${ttlMs} * interval '1 millisecond'
        and not exists (
          select from message_states s where s.tenant_id = m.tenant_id and s.message_id = m.id and s.open > 0)
      order by e.trashed_at limit ${limit} for update of m, e skip locked`)
    if (entries.length > 0) await deleteEntries(tx, entries, 'trash_expired')
    return entries.length
  })
}

/** Gives how many messages went. specification.md#end-of-a-message */
export function sweepExpired(database: Database, limit: number): Promise<number> {
  return database.transaction(async (tx) => {
    const messages = await tx.rows(sql<MessageRef>`
      select old.tenant_id as "tenantId", old.id
      from (
        select t.id as tenant_id, t.id as environment_id, t.plan from tenants t
        union all
        select t.id, a.id, t.plan from tenants t join apps a on a.tenant_id = t.id and a.environment = 'sandbox'
      ) o
      join plans p on p.name = o.plan and p.retention_days > 0
      cross join lateral (
        select m.tenant_id, m.id from messages m
        where m.tenant_id = o.tenant_id and m.environment_id = o.environment_id and m.gone is null
          and m.created_at < statement_timestamp() - make_interval(days => p.retention_days)
          and not exists (
            select from message_states s where s.tenant_id = m.tenant_id and s.message_id = m.id and s.open > 0)
        order by m.created_at, m.seq limit ${limit} for update of m skip locked
      ) old
      limit ${limit}`)
    await endMessages(tx, messages, 'expired')
    return messages.length
  })
}
