// Whether the people of the tenant need a second factor.
import { Type } from '../../lib/schema-types.ts'
import { Closed } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { setSecondFactorRequired } from '../../people/set-second-factor-required.ts'
import { consoleData } from './console-data.ts'

export default consoleData(
  {
    method: 'PUT',
    path: '/data/people/second-factor',
    body: Closed({ required: Type.Boolean() }),
    answer: null,
  },
  ({ database }: { database: Database }) =>
    ({ actor, body: { required } }) =>
      setSecondFactorRequired(database, actor, required),
)
