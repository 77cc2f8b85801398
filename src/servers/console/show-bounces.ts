// Addresses that bounced, complained or are stopped, newest first.
import type { Db } from '../../lib/sql.ts'
import { listBouncedAddresses } from '../../suppressions/list-bounced-addresses.ts'
import { consoleData } from './console-data.ts'
import { BouncedAddresses, BouncesQuery } from './suppression-schemas.ts'

const ON_A_PAGE = 50

export default consoleData(
  { method: 'GET', path: '/data/bounces', query: BouncesQuery, answer: BouncedAddresses },
  ({ database }: { database: Db }) =>
    ({ actor, query }) =>
      listBouncedAddresses(database, actor, { ...query, limit: ON_A_PAGE }),
)
