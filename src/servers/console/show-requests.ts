// Requests to the API that were refused, newest first.
import type { Database } from '../../lib/sql.ts'
import { listRefusedRequests } from '../../requests/list-refused-requests.ts'
import { consoleData } from './console-data.ts'
import { RequestFilters, RequestList, refusedBy } from './request-schemas.ts'

const ON_A_PAGE = 50

export default consoleData(
  { method: 'GET', path: '/data/requests', query: RequestFilters, answer: RequestList },
  ({ database }: { database: Database }) =>
    ({ actor, query }) =>
      listRefusedRequests(database, actor, { ...refusedBy(query), limit: ON_A_PAGE }),
)
