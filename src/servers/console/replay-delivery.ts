// Delivers an event to its endpoint again.
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { replaySeenDelivery } from '../../webhooks/replay-seen-delivery.ts'
import { consoleData } from './console-data.ts'
import { ReplayDelivery } from './webhook-schemas.ts'

export default consoleData(
  {
    method: 'POST',
    path: '/data/deliveries/:deliveryId/replay',
    params: IdParams('deliveryId'),
    body: ReplayDelivery,
    answer: null,
  },
  ({ database }: { database: Database }) =>
    ({ actor, params: { deliveryId }, body: { cycle } }) =>
      replaySeenDelivery(database, actor, deliveryId, cycle),
)
