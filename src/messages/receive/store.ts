// What the listener asks the database: who may receive, and whether something has come before.
import { type Db, sql, type Tx } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'

export interface MailboxTarget {
  tenantId: Uuid
  mailboxId: Uuid
  /** Its tenant is. */
  isSuspended: boolean
}

/** The active mailbox of an address, in whatever case it is written. */
export function findMailbox(db: Db, address: string): Promise<MailboxTarget | undefined> {
  return db.first(sql<MailboxTarget>`
    select b.tenant_id as "tenantId", b.id as "mailboxId", t.status <> 'active' as "isSuspended"
    from mailboxes b join tenants t on t.id = b.tenant_id
    where b.address = ${address.toLowerCase()} and b.status = 'active'`)
}

/** Whose a message is that a report names; undefined also for mail of a sandbox, which no relay was ever given. */
export function findSentMessage(db: Db, messageId: Uuid): Promise<{ tenantId: Uuid } | undefined> {
  return db.first(sql<{ tenantId: Uuid }>`
    select tenant_id as "tenantId" from messages
    where id = ${messageId} and direction = 'outbound' and environment_id = tenant_id`)
}

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

/** How long mail is kept in which no report could be read; its object goes by itself. */
export const UNREAD_REPORT_DAYS = 30

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
