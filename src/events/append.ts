// Writes events into the canonical log, in the transaction that changes the state they report. Sends
// and the worker's results write theirs inside their own statements, in the same columns.
import { sql, type Tx } from '../lib/sql.ts'
import { newId, type Uuid } from '../lib/uuid.ts'
import type { EventType } from './types.ts'

/** Signalled by every commit that appended events. */
export const EVENTS_TOPIC = 'events'

export interface NewEvent {
  tenantId: Uuid
  /** The tenant's id in production, the application's in a sandbox. */
  environmentId: Uuid
  type: EventType
  resourceType: 'message' | 'mailbox' | 'domain'
  resourceId: Uuid
  /** What it says beside the object's type and id, which its readers put in front (`event-text.ts`). */
  data: Record<string, unknown>
}

/** Appends the events in their order, and gives their ids. */
export async function appendEvents(tx: Tx, events: readonly NewEvent[]): Promise<Uuid[]> {
  if (events.length === 0) return []
  const rows = events.map((event) => ({
    tenant_id: event.tenantId,
    environment_id: event.environmentId,
    id: newId(),
    type: event.type,
    resource_type: event.resourceType,
    resource_id: event.resourceId,
    data: event.data,
  }))
  await tx.rows(sql`
    insert into events (tenant_id, environment_id, epoch, id, type, resource_type, resource_id, data, occurred_at)
    select e.tenant_id, e.environment_id, (select epoch from feed_epoch), e.id, e.type, e.resource_type,
      e.resource_id, e.data, clock_timestamp()
    from json_to_recordset(${JSON.stringify(rows)}::json) as e (tenant_id uuid, environment_id uuid, id uuid, type text,
      resource_type text, resource_id uuid, data json)`)
  tx.signal(EVENTS_TOPIC)
  return rows.map((row) => row.id)
}
