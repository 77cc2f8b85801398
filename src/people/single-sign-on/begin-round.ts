// Sends a browser to a tenant's provider: to sign in, to take an invitation up, to be linked, or to prove again who it is.
import type { SecretBox } from '../../lib/secret-box.ts'
import type { Db } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'
import { requireFresh } from '../../users/require-whole.ts'
import type { FoundSession } from '../../users/sessions.ts'
import { findSingleSignOn } from './find-single-sign-on.ts'
import type { Providers } from './provider.ts'
import { makeRound, type RoundPurpose, sealRound } from './round.ts'
import { singleSignOnUrls } from './urls.ts'

export interface RoundDeps {
  database: Db
  box: SecretBox
  providers: Providers
  /** Without a slash at its end. */
  consoleUrl: string
  nowMs?: () => number
}

export type Begun =
  /** `cookie` is for the browser to keep until it is back, ROUND_SECONDS at most. */
  { outcome: 'begun'; url: string; cookie: string } | { outcome: 'absent' } | { outcome: 'unavailable'; detail: string }

/** `to` is the path to go to in the end: whoever gives it has made sure that it is one of ours. */
export async function beginRound(
  { database, box, providers, consoleUrl, nowMs = Date.now }: RoundDeps,
  tenantId: Uuid,
  { purpose, to }: { purpose: RoundPurpose; to: string },
): Promise<Begun> {
  const provider = await findSingleSignOn(database, box, tenantId)
  if (!provider) return { outcome: 'absent' }
  const round = makeRound({ tenantId, purpose, to }, nowMs())
  const going = await providers.signInUrl(provider, round, singleSignOnUrls(consoleUrl, tenantId).callback)
  if (going.kind !== 'url') return { outcome: 'unavailable', detail: going.detail }
  return { outcome: 'begun', url: going.url, cookie: sealRound(box, round) }
}

/**
 * For somebody who is signed in and will be able to come in by the provider of the tenant that is looked at.
 * @throws Problem not_signed_in, sign_in_again, not_allowed
 */
export function linkTo(session: FoundSession): RoundPurpose {
  requireFresh(session)
  return { kind: 'link', personId: session.userId, sessionId: session.sessionId }
}

/** Undefined when it was no provider that opened the session: its user proves who they are by a password or a passkey. */
export function proveAgain({ onlyTenantId, userId, sessionId }: FoundSession): RoundPurpose | undefined {
  return onlyTenantId === null ? undefined : { kind: 'prove', personId: userId, sessionId }
}
