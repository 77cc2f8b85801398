// Makes a plan of limits.
import type { Operator } from '../access/actor.ts'
import { invalidField } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import { type Database, sql } from '../lib/sql.ts'
import type { PlanLimits } from './find-plan.ts'
import { checkPlanLimits } from './plan-limits.ts'

const PLAN_NAME = /^[a-z0-9][a-z0-9-]{0,62}$/
const UNLIMITED: PlanLimits = {
  keyPerMinute: 0,
  tenantPerDay: 0,
  messagesPerMonth: 0,
  storedMib: 0,
  retentionDays: 0,
}

/** A limit that is not given is none. @throws Problem validation_error, also when there is one of the name */
export async function createPlan(
  database: Database,
  operator: Operator,
  name: string,
  given: Partial<PlanLimits>,
): Promise<PlanLimits> {
  if (!PLAN_NAME.test(name)) throw invalidField('name', 'must be lower-case letters, digits and hyphens, 63 at most')
  checkPlanLimits(given)
  const limits = { ...UNLIMITED, ...given }
  await database.transaction(async (tx) => {
    const made = await tx.first(sql<{ name: string }>`
      insert into plans (name, key_per_minute, tenant_per_day, messages_per_month, stored_mib, retention_days)
      values (${name}, ${limits.keyPerMinute}, ${limits.tenantPerDay}, ${limits.messagesPerMonth}, ${limits.storedMib},
        ${limits.retentionDays})
      on conflict (name) do nothing returning name`)
    if (!made) throw invalidField('name', `there is a plan "${name}" already: change it with plan set`)
    // A plan has no id: its name is what says which.
    await recordAct(tx, operator, { operation: 'plan.create', resourceType: `plan:${name}`, resourceId: null })
  })
  return limits
}
