// Has addresses stopped automatically once they bounce for good or complain, or no longer.
import type { Database } from '../../lib/sql.ts'
import { setAutomaticStops } from '../../suppressions/automatic-stops.ts'
import { consoleData } from './console-data.ts'
import { AutomaticStops } from './suppression-schemas.ts'

export default consoleData(
  { method: 'PUT', path: '/data/suppressions/automatic', body: AutomaticStops, answer: null },
  ({ database }: { database: Database }) =>
    ({ actor, body: { on } }) =>
      setAutomaticStops(database, actor, on),
)
