// Which endpoints an actor acts on. What lies beyond is absent.
import type { Realm, TenantActor } from '../access/actor.ts'
import type { Uuid } from '../lib/uuid.ts'

export interface EndpointReach extends Realm {
  /** Of this application only; null: of all that are in the environment. */
  readonly appId: Uuid | null
}

/** An application has its own endpoints and sees no other's; people and the operator act on those of the environment. */
export function endpointReach(actor: TenantActor): EndpointReach {
  const { tenantId, environmentId } = actor
  return { tenantId, environmentId, appId: actor.kind === 'application' ? actor.appId : null }
}
