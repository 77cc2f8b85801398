// An endpoint's deliveries are a lane of their queue.
import type { LaneOfQueue } from '../lib/queue/lanes.ts'
import { WEBHOOK_QUEUE } from './delivery-state.ts'
import type { EndpointRef } from './find-endpoint.ts'

export function endpointLane({ tenantId, id }: EndpointRef): LaneOfQueue {
  return { tenantId, queue: WEBHOOK_QUEUE, lane: id }
}
