// Takes from a person what links them to the tenant's provider.
import { Closed, Uuid } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { unlinkPerson } from '../../people/single-sign-on/unlink-person.ts'
import { consoleData } from './console-data.ts'

export default consoleData(
  {
    method: 'DELETE',
    path: '/data/people/:personId/single-sign-on',
    params: Closed({ personId: Uuid }),
    answer: null,
  },
  ({ database }: { database: Database }) =>
    async ({ actor, params: { personId } }) =>
      unlinkPerson(database, actor, personId),
)
