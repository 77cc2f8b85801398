// Replays a delivery as somebody has seen it, so that of several who ask at once one has it replayed.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { recordAct } from '../audit/record.ts'
import { type Database, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { readDelivery } from './read-delivery.ts'
import { replayDelivery } from './replay-delivery.ts'

/**
 * `seenCycle`: one that has gone on to another has been replayed already, and stays as it is.
 * @throws Problem not_found, endpoint_disabled
 */
export async function replaySeenDelivery(
  database: Database,
  actor: TenantActor,
  id: Uuid,
  seenCycle: number,
): Promise<void> {
  assertMay(actor, 'replayDeliveries')
  await database.transaction(async (tx) => {
    await readDelivery(tx, actor, id)
    const locked = await tx.first(sql<{ cycle: number }>`
      select cycle from webhook_deliveries where tenant_id = ${actor.tenantId} and id = ${id} for no key update`)
    if (locked?.cycle !== seenCycle) return
    await replayDelivery(tx, actor, id)
    const act = { operation: 'replayWebhookDelivery', resourceType: 'webhook_delivery', resourceId: id } as const
    await recordAct(tx, actor, act)
  })
}
