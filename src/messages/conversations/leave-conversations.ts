// Takes messages that end out of their conversations.
import { sql, type Tx } from '../../lib/sql.ts'
import type { MessageRef } from '../lock-message.ts'

/**
 * The others of a conversation stay together. The caller has locked what counts the stored bytes of their tenants: mail that
 * is joining one of these messages at this moment has been waited for.
 */
export async function leaveConversations(tx: Tx, messages: readonly MessageRef[]): Promise<void> {
  await tx.rows(sql`
    with given as materialized (
      select n.tenant_id, n.id
      from unnest(${messages.map((m) => m.tenantId)}::uuid[], ${messages.map((m) => m.id)}::uuid[]) as n (tenant_id, id)
    ),
    mentions as (
      delete from message_references r using given g where r.tenant_id = g.tenant_id and r.message_id = g.id
    )
    delete from conversation_messages c using given g where c.tenant_id = g.tenant_id and c.message_id = g.id`)
}
