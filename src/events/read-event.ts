// One event of the log, to whoever may read it: from its commit on, which is before the feed has it.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { problem } from '../access/problem.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { eventDataText } from './event-text.ts'
import type { LoggedEvent } from './feed.ts'
import type { Event } from './schemas.ts'

/** @throws Problem not_found */
export async function readEvent(db: Db, actor: TenantActor, id: Uuid): Promise<Event> {
  assertMay(actor, 'readEvents')
  const event = await db.first(sql<LoggedEvent>`
    select id, type, resource_type as "resourceType", resource_id as "resourceId", data::text as data,
      occurred_at as "occurredAt"
    from events where tenant_id = ${actor.tenantId} and environment_id = ${actor.environmentId} and id = ${id}`)
  if (!event) throw problem('not_found')
  return { ...event, data: JSON.parse(eventDataText(event.resourceType, event.resourceId, event.data)) }
}
