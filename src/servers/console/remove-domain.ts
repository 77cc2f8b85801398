// Takes a domain off the tenant.
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { removeDomain } from '../../mailboxes/remove-domain.ts'
import { consoleData } from './console-data.ts'

export default consoleData(
  { method: 'DELETE', path: '/data/domains/:domainId', params: IdParams('domainId'), answer: null },
  ({ database }: { database: Database }) =>
    ({ actor, params: { domainId } }) =>
      removeDomain(database, actor, domainId),
)
