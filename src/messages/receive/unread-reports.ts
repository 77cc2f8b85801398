// Mail that came back and in which no report could be read or believed, kept for somebody to look at.
import { removeLater } from '../../lib/object-removals.ts'
import { readObjectKey } from '../../lib/object-store.ts'
import { type Db, sql, type Tx } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'
import type { MessageRef } from '../lock-message.ts'

/** How long mail is kept in which no report could be read; its object goes by itself. */
export const UNREAD_REPORT_DAYS = 30

/** Of one message: whoever knows its return path may send there what he likes. */
const MOST_UNREAD_REPORTS = 10

/** False when so many are kept of the message already. */
export async function insertUnreadReport(
  tx: Tx,
  report: { tenantId: Uuid; id: Uuid; messageId: Uuid; objectKey: string },
): Promise<boolean> {
  await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended(${report.messageId}, 0))`)
  const rows = await tx.rows(sql<{ id: Uuid }>`
    insert into unread_reports (tenant_id, id, message_id, object_key, received_at)
    select ${report.tenantId}, ${report.id}, ${report.messageId}, ${report.objectKey}, clock_timestamp()
    where (
      select count(*) from unread_reports
      where tenant_id = ${report.tenantId} and message_id = ${report.messageId}) < ${MOST_UNREAD_REPORTS}
    returning id`)
  return rows.length > 0
}

/** Of a message that is erased: their bytes go soon after the transaction. */
export async function removeReportsOf(tx: Tx, { tenantId, id }: MessageRef): Promise<void> {
  const rows = await tx.rows(sql<{ object_key: string }>`
    delete from unread_reports where tenant_id = ${tenantId} and message_id = ${id} returning object_key`)
  await removeLater(
    tx,
    rows.map((row) => readObjectKey(row.object_key)),
    0,
  )
}

/** Gives how many went. */
export async function sweepUnreadReports(db: Db, limit: number): Promise<number> {
  const rows = await db.rows(sql<{ id: Uuid }>`
    delete from unread_reports where (tenant_id, id) in (
      select tenant_id, id from unread_reports
      where received_at < statement_timestamp() - make_interval(days => ${UNREAD_REPORT_DAYS})
      order by received_at limit ${limit} for update skip locked)
    returning id`)
  return rows.length
}
