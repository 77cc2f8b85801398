// Whether an application may have another key. specification.md#keys-of-an-application
import type { TenantActor } from '../access/actor.ts'
import { overCapacity } from '../access/problem.ts'
import { sql, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** Of those that are neither revoked nor expired. The operator makes more. */
const MOST_GOOD_KEYS = 100

/**
 * Until the transaction ends nobody else makes a key of the application: what is counted after the lock is all there is.
 * @throws Problem plan_capacity_exceeded
 */
export async function requireKeyRoom(tx: Tx, actor: TenantActor, appId: Uuid): Promise<void> {
  if (actor.kind === 'operator') return
  const { tenantId } = actor
  await tx.rows(sql`select id from apps where tenant_id = ${tenantId} and id = ${appId} for no key update`)
  const row = await tx.first(sql<{ count: number }>`
    select count(*) from api_keys
    where tenant_id = ${tenantId} and app_id = ${appId} and revoked_at is null
      and (expires_at is null or expires_at > clock_timestamp())`)
  const used = row?.count ?? 0
  if (used < MOST_GOOD_KEYS) return
  throw overCapacity(
    { resource: 'keys', limit: MOST_GOOD_KEYS, used, resetsAt: null },
    `An application may have ${MOST_GOOD_KEYS} keys that are good. Revoke one that nobody uses.`,
  )
}
