// What a tenant has stored, and whether there is room for more.
import { overCapacity, type Problem } from '../access/problem.ts'
import { type Db, sql, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** What a tenant has stored and may store, in bytes; 0: as much as it likes. */
export async function storageOf(db: Db, tenantId: Uuid): Promise<{ used: number; limit: number }> {
  const row = await db.first(sql<{ used: number; limit: number }>`
    select coalesce(s.stored_bytes, 0) as used, p.stored_mib::bigint * 1048576 as limit
    from tenants t join plans p on p.name = t.plan left join tenant_storage s on s.tenant_id = t.id
    where t.id = ${tenantId}`)
  return row ?? { used: 0, limit: 0 }
}

/** Of what is announced: others may take the room before it comes. */
export async function requireRoom(db: Db, tenantId: Uuid, sizeBytes: number): Promise<void> {
  const { used, limit } = await storageOf(db, tenantId)
  if (limit > 0 && used + sizeBytes > limit) throw noRoom(used, limit)
}

/** Of what this transaction has written, which keeps the tenant's sum locked: no two take the same room. */
export async function requireRoomTaken(tx: Tx, tenantId: Uuid, sizeBytes: number): Promise<void> {
  const { used, limit } = await storageOf(tx, tenantId)
  if (limit > 0 && used > limit) throw noRoom(used - sizeBytes, limit)
}

function noRoom(used: number, limit: number): Problem {
  return overCapacity({ resource: 'storage', limit, used, resetsAt: null })
}
