// The newest events of a tenant's production or of one sandbox, for whoever wants to see what happened last. What reads every
// event reads the feed.
import type { Realm } from '../access/actor.ts'
import { type Db, sql, type Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

export interface NewestEvent {
  id: Uuid
  type: string
  resourceType: string
  resourceId: Uuid
  occurredAt: Timestamp
  data: Record<string, unknown>
}

/** Newest first, from the end of the log; or the one of the id, for which all of it is read. */
export function newestEvents(
  db: Db,
  { tenantId, environmentId }: Realm,
  { limit, id }: { limit: number; id?: Uuid },
): Promise<NewestEvent[]> {
  return db.rows(sql<NewestEvent>`
    select e.id, e.type, e.resource_type as "resourceType", e.resource_id as "resourceId", e.occurred_at as "occurredAt",
      e.data
    from events e
    where e.tenant_id = ${tenantId} and e.environment_id = ${environmentId} and (${id ?? null}::uuid is null or e.id = ${id ?? null})
    order by e.epoch desc, e.xid desc, e.seq desc limit ${limit}`)
}
