// One domain, with each record that it needs and what was found of it.
import { IdParams } from '../../lib/schemas.ts'
import type { Db } from '../../lib/sql.ts'
import { readDomain } from '../../mailboxes/read-domain.ts'
import { zoneLine } from '../../mailboxes/zone-line.ts'
import { consoleData } from './console-data.ts'
import { ShownDomain } from './domain-schemas.ts'

export default consoleData(
  { method: 'GET', path: '/data/domains/:domainId', params: IdParams('domainId'), answer: ShownDomain },
  ({ database }: { database: Db }) =>
    async ({ actor, params: { domainId } }) => {
      const { records, ...domain } = await readDomain(database, actor, domainId)
      return { ...domain, records: records.map((record) => ({ ...record, zoneLine: zoneLine(record) })) }
    },
)
