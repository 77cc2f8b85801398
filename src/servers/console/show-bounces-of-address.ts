// The newest bounces and complaints of one address, with their messages.
import { Type } from '../../lib/schema-types.ts'
import { Closed } from '../../lib/schemas.ts'
import type { Db } from '../../lib/sql.ts'
import { bouncesOfAddress } from '../../suppressions/bounces-of-address.ts'
import { consoleData } from './console-data.ts'
import { BouncesOfAddress } from './suppression-schemas.ts'

export default consoleData(
  {
    method: 'GET',
    path: '/data/bounces/messages',
    query: Closed({ recipient: Type.String({ format: 'email', maxLength: 254 }) }),
    answer: BouncesOfAddress,
  },
  ({ database }: { database: Db }) =>
    async ({ actor, query: { recipient } }) => ({ items: await bouncesOfAddress(database, actor, recipient) }),
)
