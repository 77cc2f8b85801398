// How a webhook endpoint has done, hour by hour.
import { Type } from '../../lib/schema-types.ts'
import { Closed, IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { endpointFigures } from '../../webhooks/endpoint-figures.ts'
import { consoleData } from './console-data.ts'
import { ShownFigures } from './webhook-schemas.ts'

export default consoleData(
  {
    method: 'GET',
    path: '/data/figures/:endpointId',
    params: IdParams('endpointId'),
    query: Closed({ since: Type.String() }),
    answer: ShownFigures,
  },
  ({ database }: { database: Database }) =>
    ({ actor, params: { endpointId }, query: { since } }) =>
      endpointFigures(database, actor, endpointId, since),
)
