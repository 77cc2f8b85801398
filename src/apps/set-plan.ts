// Makes a plan, or changes its limits. What a limit does is decided where it is counted.
import type { Operator } from '../access/actor.ts'
import { invalidField } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import { type Database, sql, type Tx } from '../lib/sql.ts'
import { findPlan, type PlanLimits } from './find-plan.ts'

/** A century: further back a database has no dates to compare with. */
const MOST_RETENTION_DAYS = 36_500
const PLAN_NAME = /^[a-z0-9][a-z0-9-]{0,62}$/
const UNLIMITED: PlanLimits = {
  keyPerMinute: 0,
  tenantPerDay: 0,
  messagesPerMonth: 0,
  storedMib: 0,
  retentionDays: 0,
}

/**
 * Makes a plan or changes what is named of it; the rest stays, or is unlimited in a new one.
 * @throws Problem validation_error
 */
export async function setPlan(
  database: Database,
  operator: Operator,
  name: string,
  change: Partial<PlanLimits>,
): Promise<PlanLimits> {
  if (!PLAN_NAME.test(name)) throw invalidField('name', 'must be lower-case letters, digits and hyphens, 63 at most')
  if ((change.retentionDays ?? 0) > MOST_RETENTION_DAYS) {
    throw invalidField('retention-days', `must be at most ${MOST_RETENTION_DAYS}; 0 is for ever`)
  }
  return database.transaction(async (tx) => {
    const limits = { ...((await findPlan(tx, name)) ?? UNLIMITED), ...change }
    await savePlan(tx, name, limits)
    // A plan has no id: its name is what says which.
    const resourceType = `plan:${name}`
    await recordAct(tx, operator, { operation: 'plan.set', resourceType, resourceId: null })
    return limits
  })
}

async function savePlan(tx: Tx, name: string, limits: PlanLimits): Promise<void> {
  await tx.rows(sql`
    insert into plans (name, key_per_minute, tenant_per_day, messages_per_month, stored_mib, retention_days)
    values (${name}, ${limits.keyPerMinute}, ${limits.tenantPerDay}, ${limits.messagesPerMonth}, ${limits.storedMib},
      ${limits.retentionDays})
    on conflict (name) do update set key_per_minute = excluded.key_per_minute,
      tenant_per_day = excluded.tenant_per_day, messages_per_month = excluded.messages_per_month,
      stored_mib = excluded.stored_mib, retention_days = excluded.retention_days`)
}
