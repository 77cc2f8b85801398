// Everybody with a role in the tenant, and whether a second factor is required of them.
import type { Database } from '../../lib/sql.ts'
import { listPeople } from '../../people/list-people.ts'
import { isSecondFactorRequired } from '../../people/set-second-factor-required.ts'
import { consoleData } from './console-data.ts'
import { People } from './schemas.ts'

export default consoleData(
  { method: 'GET', path: '/data/people', answer: People },
  ({ database }: { database: Database }) =>
    async ({ actor }) => {
      const [items, requiresSecondFactor] = await Promise.all([
        listPeople(database, actor),
        isSecondFactorRequired(database, actor),
      ])
      return { items, requiresSecondFactor }
    },
)
