// Delivers an event to an endpoint again. specification.md#replay
import type { Application, Realm, TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { problem } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import { answerOnce, type Replayable } from '../idempotency/answer-once.ts'
import { type Database, type Db, sql, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { beginCycles } from './begin-cycles.ts'
import { endpointReach } from './endpoint-reach.ts'
import type { ReplayedDelivery } from './schemas.ts'

const OPERATION = 'replayWebhookDelivery'

export interface ReplayDeps {
  database: Database
  idempotencyTtlSeconds: number
}

/** Once for each idempotency key. @throws Problem not_found, endpoint_disabled, and those of the key */
export function replayDeliveryOnce(
  deps: ReplayDeps,
  actor: Application,
  key: string,
  id: Uuid,
): Promise<Replayable<ReplayedDelivery>> {
  const keyed = { key, operation: OPERATION, target: id, input: null }
  return deps.database.transaction((tx) =>
    answerOnce(tx, actor, keyed, deps.idempotencyTtlSeconds, async () => {
      const body = await replayDelivery(tx, actor, id)
      await recordAct(tx, actor, { operation: OPERATION, resourceType: 'webhook_delivery', resourceId: id })
      return { status: 202, resourceId: id, body }
    }),
  )
}

/** The caller records who did it. @throws Problem not_found, endpoint_disabled */
export async function replayDelivery(tx: Tx, actor: TenantActor, id: Uuid): Promise<ReplayedDelivery> {
  assertMay(actor, 'replayDeliveries')
  const { tenantId, environmentId, appId } = endpointReach(actor)
  const endpoint = await tx.first(sql<{ id: Uuid; enabled: boolean }>`
    select w.id, w.enabled
    from webhook_deliveries d
    join webhook_endpoints w on w.tenant_id = d.tenant_id and w.id = d.endpoint_id
    where d.tenant_id = ${tenantId} and d.id = ${id} and w.environment_id = ${environmentId} and w.deleted_at is null
      and (${appId}::uuid is null or w.app_id = ${appId})`)
  if (!endpoint) throw problem('not_found')
  if (!endpoint.enabled) throw problem('endpoint_disabled')
  const [begun] = await beginCycles(tx, tenantId, [id])
  if (!begun) throw problem('not_found')
  return { ...begun, object: 'webhook_delivery', status: 'pending' }
}

/** Whose a tenant's delivery is, for the operator. Undefined when it is gone. */
export function ownerOfDelivery(db: Db, tenantId: Uuid, id: Uuid): Promise<Realm | undefined> {
  return db.first(sql<Realm>`
    select w.tenant_id as "tenantId", w.environment_id as "environmentId"
    from webhook_deliveries d join webhook_endpoints w on w.tenant_id = d.tenant_id and w.id = d.endpoint_id
    where d.tenant_id = ${tenantId} and d.id = ${id}`)
}
