// Stops mail to every address of a text or a CSV file.
import type { Database } from '../../lib/sql.ts'
import { importSuppressions } from '../../suppressions/import-suppressions.ts'
import { consoleData } from './console-data.ts'
import { ImportedStops, StopsToImport } from './suppression-schemas.ts'

/** Some 100,000 addresses; of more a command makes stops. specification.md#stopped-addresses */
const BODY_LIMIT_BYTES = 4 * 1024 * 1024

export default consoleData(
  {
    method: 'POST',
    path: '/data/suppressions/import',
    body: StopsToImport,
    answer: ImportedStops,
    bodyLimitBytes: BODY_LIMIT_BYTES,
  },
  ({ database }: { database: Database }) =>
    ({ actor, body: { text } }) =>
      importSuppressions(database, actor, [text]),
)
