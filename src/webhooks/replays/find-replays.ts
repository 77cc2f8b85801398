// Replays as they stand, as far as they lie in an actor's reach.
import type { TenantActor } from '../../access/actor.ts'
import { problem } from '../../access/problem.ts'
import { type Db, sql } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'
import { endpointReach } from '../endpoint-reach.ts'
import type { WebhookReplay } from '../schemas.ts'

/** Beyond so many it is not said how many remain. */
const MOST_REMAINING_COUNTED = 10_000
const MOST_FOUND = 10

/** @throws Problem not_found */
export async function requireReplay(db: Db, actor: TenantActor, id: Uuid): Promise<WebhookReplay> {
  const [replay] = await findReplays(db, actor, { id })
  if (!replay) throw problem('not_found')
  return replay
}

interface Wanted {
  id?: Uuid
  appId?: Uuid
  endpointId?: Uuid
}

/** The newest ten, newest first. Of an endpoint: its own, and those of its whole application. */
export function findReplays(db: Db, actor: TenantActor, { id, appId, endpointId }: Wanted): Promise<WebhookReplay[]> {
  const reach = endpointReach(actor)
  return db.rows(sql<WebhookReplay>`
    select r.id, 'webhook_replay' as object, r.app_id as "appId", r.endpoint_id as "endpointId", r.since, r.until,
      r.status, r.stopped_because as "stoppedBecause", r.replayed,
      case when r.status = 'running' then (
        select count(*) from (
          select from webhook_replay_places p
          cross join lateral (
            select from webhook_deliveries d
            where d.tenant_id = p.tenant_id and d.endpoint_id = p.endpoint_id and d.dead_at is not null
              and (d.dead_at, d.id) > (p.dead_at, p.delivery_id) and d.dead_at <= r.until
            limit ${MOST_REMAINING_COUNTED}
          ) d
          where p.tenant_id = r.tenant_id and p.replay_id = r.id limit ${MOST_REMAINING_COUNTED}
        ) remaining
      ) end as remaining,
      r.asked_by as "askedBy", r.created_at as "createdAt", r.ended_at as "endedAt"
    from webhook_replays r
    where r.tenant_id = ${reach.tenantId} and r.environment_id = ${reach.environmentId}
      and (${reach.appId}::uuid is null or r.app_id = ${reach.appId})
      and (${id ?? null}::uuid is null or r.id = ${id ?? null})
      and (${appId ?? null}::uuid is null or r.app_id = ${appId ?? null})
      and (${endpointId ?? null}::uuid is null or r.endpoint_id = ${endpointId ?? null} or r.endpoint_id is null)
    order by r.id desc limit ${MOST_FOUND}`)
}
