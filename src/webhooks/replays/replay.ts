// A replay of all that died since an instant: one piece of work that a worker does batch by batch. specification.md#replay
import type { Uuid } from '../../lib/uuid.ts'
import type { WebhookReplay } from '../schemas.ts'

/** What the queue of replays is called. Its lanes are what is replayed: an endpoint, or an application. */
export const REPLAY_QUEUE = 'webhook_replays'

export interface ReplayRef {
  tenantId: Uuid
  id: Uuid
}

/** What is replayed: all of an endpoint, or of all endpoints of an application. */
export type ReplayScope = { endpointId: Uuid } | { appId: Uuid }

export type ReplayStop = NonNullable<WebhookReplay['stoppedBecause']>
