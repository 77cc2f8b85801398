// Somebody's role goes.
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { removePerson } from '../../people/remove-person.ts'
import { consoleData } from './console-data.ts'

export default consoleData(
  { method: 'DELETE', path: '/data/people/:personId', params: IdParams('personId'), answer: null },
  ({ database }: { database: Database }) =>
    ({ actor, params: { personId } }) =>
      removePerson(database, actor, personId),
)
