// One delivery: what is posted, every attempt and what the receiver answered.
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { listAttempts } from '../../webhooks/list-attempts.ts'
import { readDelivery } from '../../webhooks/read-delivery.ts'
import { readEndpoint } from '../../webhooks/read-endpoint.ts'
import { readRequest } from '../../webhooks/read-request.ts'
import { consoleData } from './console-data.ts'
import { ShownDelivery } from './webhook-schemas.ts'

export default consoleData(
  { method: 'GET', path: '/data/deliveries/:deliveryId', params: IdParams('deliveryId'), answer: ShownDelivery },
  ({ database }: { database: Database }) =>
    async ({ actor, params: { deliveryId } }) => {
      const delivery = await readDelivery(database, actor, deliveryId)
      const [{ id, url, enabled }, request, { items: attempts }] = await Promise.all([
        readEndpoint(database, actor, delivery.endpointId),
        readRequest(database, actor, deliveryId),
        listAttempts(database, actor, deliveryId),
      ])
      return { delivery, endpoint: { id, url, enabled }, request, attempts }
    },
)
