// Appends a synthetic event to a sandbox, so that an integrator can try what is hard to bring about.
// It is read and delivered as any other event is. specification.md#sandbox-outcomes
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { invalidField } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import { isStorableText } from '../lib/formats.ts'
import type { Database } from '../lib/sql.ts'
import { isUuid, newId, type Uuid } from '../lib/uuid.ts'
import { appendEvents, type NewEvent } from './append.ts'
import { exampleData } from './example-data.ts'
import { EVENT_TYPES, type EventType } from './types.ts'

export interface TriggerRequest {
  type: string
  /** Takes the place of the example's members of the same names. `id` names the resource; a new one unless given. */
  data: Record<string, unknown>
}

export interface TriggeredEvent {
  id: Uuid
  type: EventType
  resourceType: NewEvent['resourceType']
  resourceId: Uuid
  data: Record<string, unknown>
}

/** Octets of JSON: pages read many events at once. specification.md#sandbox-outcomes */
const MOST_DATA_BYTES = 8_192

/** @throws Problem validation_error for production, a type that is none, an id, data that is too much */
export async function triggerEvent(
  database: Database,
  actor: TenantActor,
  request: TriggerRequest,
): Promise<TriggeredEvent> {
  assertMay(actor, 'triggerEvents')
  const type = EVENT_TYPES.find((known) => known === request.type)
  if (!type) throw invalidField('type', `"${request.type}" is none of ${EVENT_TYPES.join(', ')}`)
  const { id: resourceId = newId(), object: _object, ...given } = request.data
  if (typeof resourceId !== 'string' || !isUuid(resourceId)) throw invalidField('data.id', 'is not an id (a UUID)')
  if (!textsOf(given).every(isStorableText)) throw invalidField('data', 'holds a NUL or half of a character')
  if (Buffer.byteLength(JSON.stringify(request.data)) > MOST_DATA_BYTES) {
    throw invalidField('data', `has more than ${MOST_DATA_BYTES} octets of JSON`)
  }
  const { tenantId, environmentId } = actor
  if (environmentId === tenantId) {
    throw invalidField('app', 'belongs to production, whose events say what has happened: give a sandbox application')
  }

  const resourceType = type.slice(0, type.indexOf('.')) as NewEvent['resourceType']
  const event: NewEvent = {
    tenantId,
    environmentId,
    type,
    resourceType,
    resourceId,
    data: { ...exampleData(type, newId()), ...given, demo: true },
  }
  const [id] = await database.transaction(async (tx) => {
    await recordAct(tx, actor, { operation: 'events.trigger', resourceType, resourceId })
    return appendEvents(tx, [event])
  })
  return {
    id: id as Uuid,
    type,
    resourceType,
    resourceId,
    data: { object: resourceType, id: resourceId, ...event.data },
  }
}

/** Every text in it, names of members too. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, inner]) => [name, ...textsOf(inner)])
}
