// Makes a key in the place of another, which stays good. It shows this once.
import type { CreateKeyDeps } from '../../apps/create-key.ts'
import { replaceKey } from '../../apps/replace-key.ts'
import { IdParams } from '../../lib/schemas.ts'
import { MadeKey } from './app-schemas.ts'
import { consoleData } from './console-data.ts'

export default consoleData(
  { method: 'POST', path: '/data/keys/:keyId/replace', params: IdParams('keyId'), answer: MadeKey, status: 201 },
  (deps: CreateKeyDeps) =>
    ({ actor, params: { keyId } }) =>
      replaceKey(deps, actor, keyId),
)
