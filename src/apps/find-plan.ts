// A tenant's plan is known by its name, and has limits. 0 is none.
import { type Db, sql } from '../lib/sql.ts'

export interface PlanLimits {
  keyPerMinute: number
  tenantPerDay: number
  messagesPerMonth: number
  storedMib: number
  retentionDays: number
}

/** The limits of a plan; undefined when there is no plan of the name. */
export async function findPlan(db: Db, name: string): Promise<PlanLimits | undefined> {
  return db.first(sql<PlanLimits>`
    select key_per_minute as "keyPerMinute", tenant_per_day as "tenantPerDay",
      messages_per_month as "messagesPerMonth", stored_mib as "storedMib", retention_days as "retentionDays"
    from plans where name = ${name}`)
}

export interface ListedPlan extends PlanLimits {
  name: string
  /** How many tenants have it. */
  tenants: number
}

/** Every plan, or the one of the name, by name. */
export function listPlans(db: Db, name: string | null = null): Promise<ListedPlan[]> {
  return db.rows(sql<ListedPlan>`
    select p.name, p.key_per_minute as "keyPerMinute", p.tenant_per_day as "tenantPerDay",
      p.messages_per_month as "messagesPerMonth", p.stored_mib as "storedMib", p.retention_days as "retentionDays",
      (select count(*) from tenants t where t.plan = p.name) as tenants
    from plans p
    where ${name}::text is null or p.name = ${name}
    order by p.name`)
}
