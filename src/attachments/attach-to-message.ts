// Which attachments a message has.
import { sql, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** Says which message the attachments are in, in their order. */
export async function attachToMessage(
  tx: Tx,
  message: { tenantId: Uuid; id: Uuid },
  attachments: readonly { id: Uuid; partId: string | null }[],
): Promise<void> {
  if (attachments.length === 0) return
  await tx.rows(sql`
    insert into message_attachments (tenant_id, message_id, position, attachment_id, part_id)
    select ${message.tenantId}, ${message.id}, (a.n - 1)::smallint, a.id, a.part_id
    from unnest(${attachments.map((a) => a.id)}::uuid[], ${attachments.map((a) => a.partId)}::text[])
      with ordinality as a (id, part_id, n)`)
}
