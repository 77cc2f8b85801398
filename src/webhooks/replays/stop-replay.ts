// Stops a replay. What it has replayed goes its way.
import type { TenantActor } from '../../access/actor.ts'
import { assertMay } from '../../access/permissions.ts'
import { recordAct } from '../../audit/record.ts'
import type { Database } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'
import type { WebhookReplay } from '../schemas.ts'
import { endReplay } from './end-replay.ts'
import { requireReplay } from './find-replays.ts'

/** Succeeds when it has ended already, and leaves it as it ended. @throws Problem not_found */
export async function stopReplay(database: Database, actor: TenantActor, id: Uuid): Promise<WebhookReplay> {
  assertMay(actor, 'replayDeliveries')
  return database.transaction(async (tx) => {
    await requireReplay(tx, actor, id)
    await endReplay(tx, { tenantId: actor.tenantId, id }, 'asked')
    await recordAct(tx, actor, { operation: 'stopWebhookReplay', resourceType: 'webhook_replay', resourceId: id })
    return requireReplay(tx, actor, id)
  })
}
