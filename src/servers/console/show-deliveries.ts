// What was delivered to webhook endpoints, newest first.
import type { Database } from '../../lib/sql.ts'
import { listDeliveries } from '../../webhooks/list-deliveries.ts'
import { consoleData } from './console-data.ts'
import { DeliveriesQuery, DeliveryList } from './webhook-schemas.ts'

const ON_A_PAGE = 50

export default consoleData(
  { method: 'GET', path: '/data/deliveries', query: DeliveriesQuery, answer: DeliveryList },
  ({ database }: { database: Database }) =>
    ({ actor, query }) =>
      listDeliveries(database, actor, { ...query, limit: ON_A_PAGE }),
)
