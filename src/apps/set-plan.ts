// Changes a plan's limits. What a limit does is decided where it is counted.
import type { Operator } from '../access/actor.ts'
import { problem } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import { type Database, sql } from '../lib/sql.ts'
import type { PlanLimits } from './find-plan.ts'
import { checkPlanLimits } from './plan-limits.ts'

/** Changes what is named of it, for every tenant that has it; the rest stays. @throws Problem not_found, validation_error */
export async function setPlan(
  database: Database,
  operator: Operator,
  name: string,
  change: Partial<PlanLimits>,
): Promise<PlanLimits> {
  checkPlanLimits(change)
  return database.transaction(async (tx) => {
    const limits = await tx.first(sql<PlanLimits>`
      update plans set
        key_per_minute = coalesce(${change.keyPerMinute ?? null}, key_per_minute),
        tenant_per_day = coalesce(${change.tenantPerDay ?? null}, tenant_per_day),
        messages_per_month = coalesce(${change.messagesPerMonth ?? null}, messages_per_month),
        stored_mib = coalesce(${change.storedMib ?? null}, stored_mib),
        retention_days = coalesce(${change.retentionDays ?? null}, retention_days)
      where name = ${name}
      returning key_per_minute as "keyPerMinute", tenant_per_day as "tenantPerDay",
        messages_per_month as "messagesPerMonth", stored_mib as "storedMib", retention_days as "retentionDays"`)
    if (!limits) throw problem('not_found', { message: `There is no plan "${name}". Make it with plan create.` })
    await recordAct(tx, operator, { operation: 'plan.set', resourceType: `plan:${name}`, resourceId: null })
    return limits
  })
}
