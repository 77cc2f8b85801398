// Ends a key for good: within a second no process lets it in.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { absent } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import { type Database, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** Succeeds when it is so already; the first revocation's time stays. @throws Problem not_found */
export async function revokeKey(database: Database, actor: TenantActor, id: Uuid): Promise<void> {
  assertMay(actor, 'manageApplications')
  await database.transaction(async (tx) => {
    const key = await tx.first(sql<{ id: Uuid }>`
      update api_keys set revoked_at = coalesce(revoked_at, clock_timestamp())
      where tenant_id = ${actor.tenantId} and id = ${id} returning id`)
    if (!key) throw absent('key')
    await recordAct(tx, actor, { operation: 'key.revoke', resourceType: 'key', resourceId: id })
  })
}
