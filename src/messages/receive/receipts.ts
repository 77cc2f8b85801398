// What has been received of late, so that mail that comes again is not doubled.
import { type Db, sql, type Tx } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'

/** How long the same bytes from the same envelope count as the same mail. specification.md#same-mail-again */
const SAME_MAIL_HOURS = 24

/** False when it came before: by the same transaction's end, nobody else can have taken it. */
export async function reserveReceipt(tx: Tx, tenantId: Uuid, digest: Buffer, messageId: Uuid): Promise<boolean> {
  const rows = await tx.rows(sql<{ message_id: Uuid }>`
    insert into inbound_receipts as r (tenant_id, digest, message_id, received_at)
    values (${tenantId}, ${digest}, ${messageId}, clock_timestamp())
    on conflict (tenant_id, digest) do update
    set message_id = excluded.message_id, received_at = excluded.received_at
    where r.received_at < clock_timestamp() - make_interval(hours => ${SAME_MAIL_HOURS})
    returning r.message_id`)
  return rows.length > 0
}

/** Gives how many went. */
export async function sweepReceipts(db: Db, limit: number): Promise<number> {
  const rows = await db.rows(sql<{ tenant_id: Uuid }>`
    delete from inbound_receipts where (tenant_id, digest) in (
      select tenant_id, digest from inbound_receipts
      where received_at < statement_timestamp() - make_interval(hours => ${SAME_MAIL_HOURS})
      order by received_at limit ${limit} for update skip locked)
    returning tenant_id`)
  return rows.length
}
