// Ends a key for good.
import { revokeKey } from '../../apps/revoke-key.ts'
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { consoleData } from './console-data.ts'

export default consoleData(
  { method: 'DELETE', path: '/data/keys/:keyId', params: IdParams('keyId'), answer: null },
  ({ database }: { database: Database }) =>
    ({ actor, params: { keyId } }) =>
      revokeKey(database, actor, keyId),
)
