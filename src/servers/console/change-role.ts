// Another role for somebody.
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { setRole } from '../../people/set-role.ts'
import { consoleData } from './console-data.ts'
import { ChangeRole } from './schemas.ts'

export default consoleData(
  {
    method: 'PUT',
    path: '/data/people/:personId/role',
    params: IdParams('personId'),
    body: ChangeRole,
    answer: null,
  },
  ({ database }: { database: Database }) =>
    ({ actor, params: { personId }, body: { role } }) =>
      setRole(database, actor, personId, role),
)
