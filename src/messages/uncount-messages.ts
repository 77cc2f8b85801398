// Takes messages out of what mailboxes have, and out of what is found there. Whoever does adds a part of its own to the sums: nobody waits for another (ADR 65).
import { sql, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** `mailboxId`: null for every mailbox that has it. The caller has locked the messages: none is counted again meanwhile. */
export async function uncountMessages(
  tx: Tx,
  entries: readonly { tenantId: Uuid; messageId: Uuid; mailboxId: Uuid | null }[],
): Promise<void> {
  await tx.rows(sql`
    with gone as (
      delete from mailbox_messages c
      using unnest(${entries.map((e) => e.tenantId)}::uuid[], ${entries.map((e) => e.messageId)}::uuid[],
        ${entries.map((e) => e.mailboxId)}::uuid[]) as n (tenant_id, message_id, mailbox_id)
      where c.tenant_id = n.tenant_id and c.message_id = n.message_id
        and c.mailbox_id = coalesce(n.mailbox_id, c.mailbox_id)
      returning c.tenant_id, c.environment_id, c.mailbox_id, c.folder, c.size_bytes, c.is_unread
    ),
    found as (
      delete from mailbox_search f
      using unnest(${entries.map((e) => e.tenantId)}::uuid[], ${entries.map((e) => e.messageId)}::uuid[],
        ${entries.map((e) => e.mailboxId)}::uuid[]) as n (tenant_id, message_id, mailbox_id)
      where f.tenant_id = n.tenant_id and f.message_id = n.message_id
        and f.mailbox_id = coalesce(n.mailbox_id, f.mailbox_id)
    )
    insert into mailbox_amounts (tenant_id, environment_id, mailbox_id, folder, messages, size_bytes, unread)
    select g.tenant_id, g.environment_id, g.mailbox_id, g.folder, -count(*), -sum(g.size_bytes),
      -(count(*) filter (where g.is_unread))
    from gone g
    group by g.tenant_id, g.environment_id, g.mailbox_id, g.folder`)
}
