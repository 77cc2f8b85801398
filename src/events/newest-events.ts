// Events as the operator sees them: the newest of a tenant's production or of one sandbox, and any one. What reads every event
// reads the feed.
import type { Realm } from '../access/actor.ts'
import { absent } from '../access/problem.ts'
import { type Db, sql, type Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

export interface ShownEvent {
  id: Uuid
  type: string
  resourceType: string
  resourceId: Uuid
  occurredAt: Timestamp
  data: Record<string, unknown>
}

/** From the end of the log. */
export function newestEvents(db: Db, { tenantId, environmentId }: Realm, limit: number): Promise<ShownEvent[]> {
  return db.rows(sql<ShownEvent>`
    select e.id, e.type, e.resource_type as "resourceType", e.resource_id as "resourceId", e.occurred_at as "occurredAt",
      e.data
    from events e
    where e.tenant_id = ${tenantId} and e.environment_id = ${environmentId}
    order by e.epoch desc, e.xid desc, e.seq desc limit ${limit}`)
}

/** The one of the id, whoever's it is, and whose. @throws Problem not_found */
export async function eventOfId(db: Db, id: Uuid): Promise<ShownEvent & Realm> {
  const event = await db.first(sql<ShownEvent & Realm>`
    select e.id, e.type, e.resource_type as "resourceType", e.resource_id as "resourceId", e.occurred_at as "occurredAt",
      e.data, e.tenant_id as "tenantId", e.environment_id as "environmentId"
    from events e where e.id = ${id}`)
  if (!event) throw absent('event')
  return event
}
