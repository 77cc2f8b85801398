// Tells Owners that most of their plan's month is used, and that all of it is: once a month each. Found by looking, so that
// no send has to.
import { type Database, type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { tellOwners } from '../notices/tell-owners.ts'

interface UsedPlan {
  tenantId: Uuid
  kind: 'plan_80' | 'plan_100'
  /** `2026-11` */
  month: string
  recipients: number
  limit: number
}

/** Gives how many tenants were found of whose usage an Owner had not been told. */
export async function tellOfPlanUsage(database: Database, limit: number): Promise<number> {
  const found = await findUsed(database, limit)
  for (const { tenantId, kind, ...facts } of found) {
    await database.transaction((tx) => tellOwners(tx, tenantId, { kind, facts, occasion: facts.month }))
  }
  return found.length
}

/** Where it is all used up nobody is told that most of it is. specification.md#notices-by-mail */
function findUsed(db: Db, limit: number): Promise<UsedPlan[]> {
  // Those first who have used that much, however few are wanted: then look-up by look-up.
  return db.rows(sql<UsedPlan>`
    with used as materialized (
      select u.tenant_id, u.recipients, p.messages_per_month as most, to_char(u.month, 'YYYY-MM') as month,
        case when u.recipients >= p.messages_per_month then 'plan_100' else 'plan_80' end as kind
      from tenant_usage u
      join tenants t on t.id = u.tenant_id and t.status = 'active'
      join plans p on p.name = t.plan and p.messages_per_month > 0
      where u.month = date_trunc('month', statement_timestamp())::date and u.recipients >= 0.8 * p.messages_per_month
    )
    select u.tenant_id as "tenantId", u.kind, u.month, u.recipients, u.most as limit
    from used u
    where exists (
      select from memberships m
      where m.tenant_id = u.tenant_id and m.role = 'owner' and m.joined_at is not null and not exists (
        select from notices n
        where n.tenant_id = m.tenant_id and n.user_id = m.person_id and n.kind = u.kind and n.occasion = u.month
        offset 0)
      offset 0)
    limit ${limit}`)
}
