// Looks a domain up in the DNS now.
import type { DnsResolver } from '../../lib/resolver.ts'
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { checkDomainNow } from '../../mailboxes/check-domain-now.ts'
import { consoleData } from './console-data.ts'

export default consoleData(
  { method: 'POST', path: '/data/domains/:domainId/check', params: IdParams('domainId'), answer: null },
  (deps: { database: Database; resolver: DnsResolver }) =>
    async ({ actor, params: { domainId } }) => {
      await checkDomainNow(deps, actor, domainId)
    },
)
