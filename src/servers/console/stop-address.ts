// Stops mail to an address.
import type { Database } from '../../lib/sql.ts'
import { addSuppression } from '../../suppressions/add-suppression.ts'
import { consoleData } from './console-data.ts'
import { MadeStop, NewStop } from './suppression-schemas.ts'

export default consoleData(
  { method: 'POST', path: '/data/suppressions', body: NewStop, answer: MadeStop, status: 201 },
  ({ database }: { database: Database }) =>
    ({ actor, body }) =>
      addSuppression(database, actor, body),
)
