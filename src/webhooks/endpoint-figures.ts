// How an endpoint does, hour by hour, for people: what became of its newest deliveries and how long they took. Read from the
// deliveries themselves, of which so many are looked at and no more, so that nothing is counted while they are made.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { invalidField } from '../access/problem.ts'
import { parseInstant } from '../lib/instant.ts'
import { type Db, sql, type Timestamp } from '../lib/sql.ts'
import { leastIdAt, type Uuid } from '../lib/uuid.ts'
import { requireEndpoint } from './find-endpoint.ts'

/** As many as a page of deliveries looks through. */
const MOST_DELIVERIES_MEASURED = 5_000

/** Deliveries that were made in one hour. */
export interface EndpointHour {
  /** When it began, UTC. */
  hour: Timestamp
  delivered: number
  dead: number
  pending: number
  /** How long the last attempts of those took that were delivered, in milliseconds; null when none was. */
  p50Ms: number | null
  p95Ms: number | null
}

export interface EndpointFigures {
  /** Oldest first; an hour without deliveries is left out. */
  hours: EndpointHour[]
  /** What was made before is not counted, as there is too much; null when all is. */
  cutAt: Timestamp | null
}

/** Of what was made since an instant. @throws Problem not_found, validation_error when `since` is no instant */
export async function endpointFigures(
  db: Db,
  actor: TenantActor,
  endpointId: Uuid,
  since: string,
  most = MOST_DELIVERIES_MEASURED,
): Promise<EndpointFigures> {
  assertMay(actor, 'readWebhooks')
  const micros = parseInstant(since)
  if (micros === undefined) throw invalidField('since', 'must be an ISO 8601 date or instant')
  const { id } = await requireEndpoint(db, actor, endpointId)
  const hours = await db.rows(sql<EndpointHour & { cutAt: Timestamp | null }>`
    with newest as materialized (
      select d.status, d.last_duration_ms, d.created_at, row_number() over (order by d.id desc) as place
      from webhook_deliveries d
      where d.tenant_id = ${actor.tenantId} and d.endpoint_id = ${id} and d.id >= ${leastIdAt(Math.floor(micros / 1000))}
        and d.created_at >= to_timestamp(0) + ${micros}::bigint * interval '1 microsecond'
      order by d.id desc limit ${most + 1}
    )
    select date_trunc('hour', n.created_at) as hour,
      count(*) filter (where n.status = 'delivered') as delivered, count(*) filter (where n.status = 'dead') as dead,
      count(*) filter (where n.status = 'pending') as pending,
      percentile_disc(0.5) within group (order by n.last_duration_ms) filter (where n.status = 'delivered') as "p50Ms",
      percentile_disc(0.95) within group (order by n.last_duration_ms) filter (where n.status = 'delivered') as "p95Ms",
      (
        select c.created_at from newest c
        where c.place = ${most} and exists (select from newest o where o.place > ${most})
      ) as "cutAt"
    from newest n where n.place <= ${most}
    group by date_trunc('hour', n.created_at) order by 1`)
  return { hours: hours.map(({ cutAt: _cutAt, ...hour }) => hour), cutAt: hours[0]?.cutAt ?? null }
}
