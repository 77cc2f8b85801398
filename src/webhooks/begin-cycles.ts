// Starts new cycles of deliveries: a new budget each, due at once, under the same event id. Results of earlier cycles change
// nothing any more. specification.md#replay
import { arrayLiteral, sql, type Timestamp, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { WEBHOOK_QUEUE } from './delivery-state.ts'

export interface BegunCycle {
  id: Uuid
  endpointId: Uuid
  eventId: Uuid
  /** The cycle that begins. */
  cycle: number
}

/** Of a tenant's deliveries of these ids; `died`: only of those that are dead, and died in between, both included. */
export async function beginCycles(
  tx: Tx,
  tenantId: Uuid,
  ids: readonly Uuid[],
  died?: { since: Timestamp; until: Timestamp },
): Promise<BegunCycle[]> {
  const begun = await tx.rows(sql<BegunCycle>`
    select b.id, b.endpoint_id as "endpointId", b.event_id as "eventId", b.cycle
    from begin_cycles(${tenantId}, ${arrayLiteral(ids)}, ${died?.since ?? null}, ${died?.until ?? null}) b`)
  if (begun.length > 0) tx.signal(WEBHOOK_QUEUE)
  return begun
}
