// The domains of the tenant, each with how it stands.
import type { Db } from '../../lib/sql.ts'
import { readDomains } from '../../mailboxes/read-domain.ts'
import { consoleData } from './console-data.ts'
import { Domains } from './domain-schemas.ts'

export default consoleData(
  { method: 'GET', path: '/data/domains', answer: Domains },
  ({ database }: { database: Db }) =>
    async ({ actor }) => ({
      items: (await readDomains(database, actor)).map(({ records, ...domain }) => {
        const atFault = records.filter(({ check }) => check !== null && check.status !== 'pass')
        return { ...domain, atFault: atFault.map(({ purpose }) => purpose) }
      }),
    }),
)
