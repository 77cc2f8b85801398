// Rounds to a provider, as a console and a browser of it make them.
import { createSecretKey, randomBytes } from 'node:crypto'
import { after } from 'node:test'
import { parseNetwork } from '../../src/lib/network.ts'
import { createPublicFetch } from '../../src/lib/public-fetch.ts'
import type { Secret } from '../../src/lib/secret.ts'
import { createSecretBox } from '../../src/lib/secret-box.ts'
import type { Database } from '../../src/lib/sql.ts'
import type { Uuid } from '../../src/lib/uuid.ts'
import { beginRound } from '../../src/people/single-sign-on/begin-round.ts'
import { type Finished, finishRound } from '../../src/people/single-sign-on/finish-round.ts'
import { createProviders } from '../../src/people/single-sign-on/provider.ts'
import type { RoundPurpose } from '../../src/people/single-sign-on/round.ts'
import { setSingleSignOn } from '../../src/people/single-sign-on/set-single-sign-on.ts'
import { operatorOf } from './operator.ts'
import { originOf } from './people.ts'

export const CONSOLE_URL = 'http://127.0.0.1:9'

/** With a deadline that tests can wait for. Loopback alone may be reached. */
export function singleSignOnOver(database: Database, { timeoutMs = 5_000, nowMs = Date.now } = {}) {
  const publicFetch = createPublicFetch({ allow: [parseNetwork('127.0.0.1')], dnsServers: [], timeoutMs })
  after(() => publicFetch.close())
  const box = createSecretBox([{ version: 1, key: createSecretKey(randomBytes(32)) }])
  const deps = { database, box, providers: createProviders(publicFetch), consoleUrl: CONSOLE_URL, nowMs }

  return {
    ...deps,
    set: (tenantId: Uuid, request: { issuer: string; clientId: string; clientSecret: Secret }) =>
      setSingleSignOn(deps, operatorOf(tenantId), request),
    /** Where the browser is sent, and what it keeps. */
    async begin(tenantId: Uuid, purpose: RoundPurpose = { kind: 'sign_in' }, to = '/') {
      const begun = await beginRound(deps, tenantId, { purpose, to })
      if (begun.outcome !== 'begun') throw new Error(`${begun.outcome}: no round was begun`)
      return begun
    },
    finish: (tenantId: Uuid, cookie: string, back: URL): Promise<Finished> =>
      finishRound(deps, tenantId, { cookie, query: back.search }, originOf(1)),
  }
}
