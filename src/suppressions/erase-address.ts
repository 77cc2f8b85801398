// Forgets an address among those that get no mail, and among those whose mail came back.
import { type Database, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { suppressionKey } from './suppressed.ts'
import { deleteSuppressions, lockSuppressions } from './tenant-stops.ts'

export interface ErasedStops {
  stops: number
  bounces: number
}

/**
 * `pattern`: as `addressPattern` gives it, for what others' rows quote; `tenantId`: null for all; `keepStops`: it stays stopped, and
 * of who stopped it when and why no more is kept than its message's words.
 */
export async function eraseStops(
  database: Database,
  tenantId: Uuid | null,
  { address, pattern, keepStops }: { address: string; pattern: string; keepStops: boolean },
): Promise<ErasedStops> {
  const key = suppressionKey(address)
  const stopped = await database.rows(sql<{ tenantId: Uuid; environmentId: Uuid }>`
    select s.tenant_id as "tenantId", s.environment_id as "environmentId" from suppressions s
    where s.tenant_id = coalesce(${tenantId}, s.tenant_id) and s.address = ${key} order by s.tenant_id, s.environment_id`)
  let stops = 0
  for (const realm of keepStops ? [] : stopped) {
    stops += await database.transaction(async (tx) => {
      await lockSuppressions(tx, realm.tenantId)
      return (await deleteSuppressions(tx, realm, { address: key })).length
    })
  }
  return database.transaction(async (tx) => {
    const removed = await tx.rows(sql<{ count: number }>`
      with gone as (
        delete from bounces b
        where b.tenant_id = coalesce(${tenantId}, b.tenant_id) and b.address = ${key} returning b.id
      )
      select count(*)::integer as count from gone`)
    await tx.rows(sql`
      delete from bounced_addresses a
      where a.tenant_id = coalesce(${tenantId}, a.tenant_id) and a.address = ${key}`)
    await tx.rows(sql`
      update bounces b set diagnostic = null
      where b.tenant_id = coalesce(${tenantId}, b.tenant_id) and b.diagnostic ~* ${pattern}`)
    await tx.rows(sql`
      update bounced_addresses a set diagnostic = null
      where a.tenant_id = coalesce(${tenantId}, a.tenant_id) and a.diagnostic ~* ${pattern}`)
    await tx.rows(sql`
      update suppressions s set note = null
      where s.tenant_id = coalesce(${tenantId}, s.tenant_id) and s.note ~* ${pattern}`)
    return { stops, bounces: removed[0]?.count ?? 0 }
  })
}
