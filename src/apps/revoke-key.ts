// Ends a key for good: within a second no process lets it in.
import { absent } from '../access/problem.ts'
import { recordOperatorAct } from '../audit/record.ts'
import { type Database, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** Succeeds when it is so already; the first revocation's time stays. @throws Problem not_found */
export async function revokeKey(database: Database, id: Uuid): Promise<void> {
  await database.transaction(async (tx) => {
    const key = await tx.first(sql<{ tenant_id: Uuid }>`
      update api_keys set revoked_at = coalesce(revoked_at, clock_timestamp()) where id = ${id} returning tenant_id`)
    if (!key) throw absent('key')
    await recordOperatorAct(tx, {
      tenantId: key.tenant_id,
      operation: 'key.revoke',
      resourceType: 'key',
      resourceId: id,
    })
  })
}
