// Whether addresses are stopped automatically once they bounce for good or complain.
import type { Db } from '../../lib/sql.ts'
import { hasAutomaticStops } from '../../suppressions/automatic-stops.ts'
import { consoleData } from './console-data.ts'
import { AutomaticStops } from './suppression-schemas.ts'

export default consoleData(
  { method: 'GET', path: '/data/suppressions/automatic', answer: AutomaticStops },
  ({ database }: { database: Db }) =>
    async ({ actor }) => ({ on: await hasAutomaticStops(database, actor) }),
)
