// Takes a replay one batch further. The replay's row is locked meanwhile and each delivery is judged anew when it is locked,
// so that whoever else replays, or is killed, each is replayed once and counted by who did it.
import { sql, type Timestamp, type Tx } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'
import { beginCycles } from '../begin-cycles.ts'
import { WEBHOOK_QUEUE } from '../delivery-state.ts'
import { endReplay } from './end-replay.ts'
import type { ReplayRef } from './replay.ts'

export interface ReplayPace {
  /** Deliveries that one transaction replays at most. */
  batch: number
  /** While so many of an endpoint wait to be posted, no more are put there. */
  mostWaiting: number
}

/**
 * `later`: there is more to replay, but the endpoints have more to do than they should, or a transaction that began before
 * the replay may still record a death.
 */
export type Advance = 'ended' | 'more' | 'later'

export async function advanceReplay(tx: Tx, replay: ReplayRef, pace: ReplayPace): Promise<Advance> {
  const { tenantId, id } = replay
  const held = await tx.first(sql<Span & { ofOne: boolean; allSeen: boolean }>`
    select since, until, endpoint_id is not null as "ofOne",
      -- In a database that was put back its transaction may lie ahead.
      asked_in < pg_snapshot_xmin(pg_current_snapshot()) or asked_in >= pg_snapshot_xmax(pg_current_snapshot())
        as "allSeen"
    from webhook_replays
    where tenant_id = ${tenantId} and id = ${id} and status = 'running'
    for no key update`)
  if (!held) return 'ended'
  if (!held.allSeen) return 'later'
  const place = await nextPlace(tx, replay, pace.mostWaiting)
  if (!place) {
    await endReplay(tx, replay, null)
    return 'ended'
  }
  if (place.closed && held.ofOne) {
    await endReplay(tx, replay, place.closed)
    return 'ended'
  }
  if (place.closed) {
    await leave(tx, replay, place)
    return 'more'
  }
  if (place.full) return 'later'
  await replayFrom(tx, replay, place, held, pace.batch)
  return 'more'
}

interface Span {
  since: Timestamp
  until: Timestamp
}

interface Place {
  endpointId: Uuid
  /** Why nothing can be delivered there; null while it can. */
  closed: 'endpoint_disabled' | 'endpoint_deleted' | null
  full: boolean
  deadAt: Timestamp
  deliveryId: Uuid
}

/** One where there is something to do, if there is one. What waits is counted in the queue, from the head of its lane. */
function nextPlace(tx: Tx, { tenantId, id }: ReplayRef, mostWaiting: number): Promise<Place | undefined> {
  return tx.first(sql<Place>`
    select p.endpoint_id as "endpointId", p.dead_at as "deadAt", p.delivery_id as "deliveryId", l.closed, l.full
    from webhook_replay_places p
    left join webhook_endpoints w on w.tenant_id = p.tenant_id and w.id = p.endpoint_id and w.deleted_at is null
    cross join lateral (
      select case when w.id is null then 'endpoint_deleted' when not w.enabled then 'endpoint_disabled' end as closed,
        (
          select count(*) from (
            (
              select from jobs j
              where j.queue = ${WEBHOOK_QUEUE} and j.tenant_id = p.tenant_id and j.lane = p.endpoint_id
                and j.state = 'ready' limit ${mostWaiting}
            )
            union all
            (
              select from jobs j
              where j.queue = ${WEBHOOK_QUEUE} and j.tenant_id = p.tenant_id and j.lane = p.endpoint_id
                and j.state = 'held' limit ${mostWaiting}
            )
          ) waiting
        ) >= ${mostWaiting} as full
    ) l
    where p.tenant_id = ${tenantId} and p.replay_id = ${id}
    order by l.closed is null and l.full, p.endpoint_id limit 1`)
}

async function replayFrom(tx: Tx, replay: ReplayRef, place: Place, span: Span, batch: number): Promise<void> {
  const { tenantId, id } = replay
  const dead = await tx.rows(sql<{ id: Uuid; deadAt: Timestamp }>`
    select d.id, d.dead_at as "deadAt" from webhook_deliveries d
    where d.tenant_id = ${tenantId} and d.endpoint_id = ${place.endpointId} and d.dead_at is not null
      and (d.dead_at, d.id) > (${place.deadAt}::timestamptz, ${place.deliveryId}::uuid) and d.dead_at <= ${span.until}
    order by d.dead_at, d.id limit ${batch}`)
  const ids = dead.map((delivery) => delivery.id)
  const begun = await beginCycles(tx, tenantId, ids, span)
  await tx.rows(sql`
    update webhook_replays set replayed = replayed + ${begun.length} where tenant_id = ${tenantId} and id = ${id}`)
  const last = dead.at(-1)
  if (!last || dead.length < batch) return leave(tx, replay, place)
  await tx.rows(sql`
    update webhook_replay_places set dead_at = ${last.deadAt}, delivery_id = ${last.id}
    where tenant_id = ${tenantId} and replay_id = ${id} and endpoint_id = ${place.endpointId}`)
}

/** Nothing is left to do there. */
async function leave(tx: Tx, { tenantId, id }: ReplayRef, { endpointId }: Place): Promise<void> {
  await tx.rows(sql`
    delete from webhook_replay_places
    where tenant_id = ${tenantId} and replay_id = ${id} and endpoint_id = ${endpointId}`)
}
