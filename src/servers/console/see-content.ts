// Whether people see what messages say.
import { setContentSeen } from '../../apps/see-content.ts'
import type { Database } from '../../lib/sql.ts'
import { consoleData } from './console-data.ts'
import { SeeContent } from './settings-schemas.ts'

export default consoleData(
  { method: 'PUT', path: '/data/settings/content', body: SeeContent, answer: null },
  ({ database }: { database: Database }) =>
    ({ actor, body: { people } }) =>
      setContentSeen(database, actor, people),
)
