// The tenant as its people know it, and what its Owners have set.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

export interface TenantSettings {
  id: Uuid
  name: string
  /** Whether people see what messages say. */
  peopleSeeContent: boolean
  /** Null: as many as there are. */
  plan: {
    name: string
    /** With one key. */
    requestsPerMinute: number | null
    requestsPerDay: number | null
    /** For which messages and their files are kept. */
    retentionDays: number | null
  }
}

type Row = Omit<TenantSettings, 'plan'> & Omit<TenantSettings['plan'], 'name'> & { planName: string }

/** @throws Problem not_allowed */
export async function readTenant(db: Db, actor: TenantActor): Promise<TenantSettings> {
  assertMay(actor, 'readTenant')
  const row = (await db.first(sql<Row>`
    select t.id, t.name, t.people_see_content as "peopleSeeContent", p.name as "planName",
      nullif(p.key_per_minute, 0) as "requestsPerMinute", nullif(p.tenant_per_day, 0) as "requestsPerDay",
      nullif(p.retention_days, 0) as "retentionDays"
    from tenants t join plans p on p.name = t.plan
    where t.id = ${actor.tenantId}`)) as Row
  const { id, name, peopleSeeContent, planName, requestsPerMinute, requestsPerDay, retentionDays } = row
  return { id, name, peopleSeeContent, plan: { name: planName, requestsPerMinute, requestsPerDay, retentionDays } }
}
