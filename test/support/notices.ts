// Notices as they stand in the database, and one to be told.
import { type Database, sql } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { tellOwners } from '../../src/notices/tell-owners.ts'
import { until } from './until.ts'

export interface StoredNotice {
  id: Uuid
  userId: Uuid
  kind: string
  status: string
  sealedToken: Buffer | null
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it looks at.
  facts: any
}

/** Of a tenant, the oldest first. */
export function noticesOf(database: Database, tenantId: Uuid): Promise<StoredNotice[]> {
  return database.rows(sql<StoredNotice>`
    select id, user_id as "userId", kind, status, sealed_token as "sealedToken", facts
    from notices where tenant_id = ${tenantId} order by created_at, id`)
}

/** Resolves with them when none of a tenant waits any more, nor a job of any. */
export function settled(database: Database, tenantId: Uuid): Promise<StoredNotice[]> {
  return until('all notices have ended', async () => {
    const notices = await noticesOf(database, tenantId)
    const jobs = await database.rows(sql`select from jobs where tenant_id = ${tenantId} and queue = 'notices'`)
    return jobs.length === 0 && notices.every(({ status }) => status !== 'waiting') && notices
  })
}

/** Of a domain that is failing. */
export function tell(database: Database, tenantId: Uuid, domain = 'failing.test', occasion = newId()): Promise<number> {
  return database.transaction((tx) => tellOwners(tx, tenantId, { kind: 'domain_failing', facts: { domain }, occasion }))
}
