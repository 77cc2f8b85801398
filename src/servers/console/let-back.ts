// Lets a stopped address back.
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { removeSuppression } from '../../suppressions/remove-suppression.ts'
import { consoleData } from './console-data.ts'

export default consoleData(
  { method: 'DELETE', path: '/data/suppressions/:suppressionId', params: IdParams('suppressionId'), answer: null },
  ({ database }: { database: Database }) =>
    async ({ actor, params: { suppressionId: id } }) => {
      await removeSuppression(database, actor, { id })
    },
)
