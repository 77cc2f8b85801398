// Makes a key. It shows this once.
import { invalidField } from '../../access/problem.ts'
import { type CreateKeyDeps, createKey } from '../../apps/create-key.ts'
import { parseDuration } from '../../lib/duration.ts'
import { IdParams } from '../../lib/schemas.ts'
import { MadeKey, NewKey } from './app-schemas.ts'
import { consoleData } from './console-data.ts'

export default consoleData(
  {
    method: 'POST',
    path: '/data/apps/:appId/keys',
    params: IdParams('appId'),
    body: NewKey,
    answer: MadeKey,
    status: 201,
  },
  (deps: CreateKeyDeps) =>
    async ({ actor, params: { appId }, body: { expiresIn, ...request } }) =>
      createKey(deps, actor, {
        ...request,
        appId,
        ...(expiresIn === undefined ? {} : { expiresInMs: durationOf(expiresIn) }),
      }),
)

function durationOf(text: string): number {
  try {
    return parseDuration(text)
  } catch (error) {
    throw invalidField('expiresIn', (error as Error).message)
  }
}
