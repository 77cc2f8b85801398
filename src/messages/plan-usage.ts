// What a tenant has used of its plan.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { type Db, sql, type Timestamp } from '../lib/sql.ts'

export interface PlanUsage {
  name: string
  /** Recipients of this calendar month (UTC), which is how messages are counted. A limit of null: none. */
  messages: { used: number; limit: number | null; resetsAt: Timestamp }
  storedBytes: { used: number; limit: number | null }
}

interface Row {
  name: string
  recipients: number
  messagesPerMonth: number
  resetsAt: Timestamp
  storedBytes: number
  mostBytes: number
}

/** @throws Problem not_allowed */
export async function readPlanUsage(db: Db, actor: TenantActor): Promise<PlanUsage> {
  assertMay(actor, 'readApplications')
  const row = (await db.first(sql<Row>`
    select p.name, coalesce(u.recipients, 0) as recipients, p.messages_per_month as "messagesPerMonth",
      (b.month + interval '1 month') at time zone 'UTC' as "resetsAt",
      coalesce(s.stored_bytes, 0) as "storedBytes", p.stored_mib::bigint * 1048576 as "mostBytes"
    from tenants t
    join plans p on p.name = t.plan
    cross join (select date_trunc('month', clock_timestamp() at time zone 'UTC') as month) b
    left join tenant_usage u on u.tenant_id = t.id and u.month = b.month::date
    left join tenant_storage s on s.tenant_id = t.id
    where t.id = ${actor.tenantId}`)) as Row
  return {
    name: row.name,
    messages: { used: row.recipients, limit: row.messagesPerMonth || null, resetsAt: row.resetsAt },
    storedBytes: { used: row.storedBytes, limit: row.mostBytes || null },
  }
}
