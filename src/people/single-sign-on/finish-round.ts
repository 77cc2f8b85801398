// A browser is back from a tenant's provider. Whom it lets in is decided by issuer and subject alone, never by an address.
import { DIRECTORY } from '../../access/actor.ts'
import type { RequestOrigin } from '../../access/request-origin.ts'
import { type Database, sql, type Tx } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'
import { factorsOf } from '../../users/factors-of.ts'
import { findPersonOf, type Identity, linkIdentity } from '../../users/identities.ts'
import { findLink, useLink } from '../../users/links.ts'
import { holdUser, lockUser } from '../../users/lock-user.ts'
import { useChallenge } from '../../users/passkey-challenge.ts'
import { recordSignIn } from '../../users/record-sign-in.ts'
import { type NewSession, renewSession, startSession } from '../../users/sessions.ts'
import { personRef } from '../../users/user.ts'
import { joinTenant } from '../join-tenant.ts'
import type { RoundDeps } from './begin-round.ts'
import { findSingleSignOn } from './find-single-sign-on.ts'
import type { Vouched } from './provider.ts'
import { openRound, type Round, type RoundPurpose } from './round.ts'
import { singleSignOnUrls } from './urls.ts'

export type Finished =
  | { outcome: 'signed_in'; session: NewSession; tenantId: Uuid; to: string }
  /** The session stays as it is. */
  | { outcome: 'linked'; to: string }
  /** The browser began no such round, or too long ago, or it is over. */
  | { outcome: 'stale' }
  /** The provider has not signed anybody in. */
  | { outcome: 'declined'; detail: string }
  | { outcome: 'unavailable'; detail: string }
  /** What came back proves nothing. */
  | { outcome: 'refused'; detail: string }
  /** Nobody here is linked to who signed in there. */
  | { outcome: 'unknown' }
  /** The invitation is no good, or that of somebody who can sign in already and so has to. */
  | { outcome: 'no_invitation' }
  /** Who signed in there is linked to somebody else here. */
  | { outcome: 'somebody_else' }

/** `cookie` is what `beginRound` gave, `query` what follows the `?` of the URL that the browser was sent back to. */
export async function finishRound(
  deps: RoundDeps & { database: Database },
  tenantId: Uuid,
  { cookie, query }: { cookie: string; query: string },
  origin: RequestOrigin,
): Promise<Finished> {
  const nowMs = (deps.nowMs ?? Date.now)()
  const round = openRound(deps.box, cookie, nowMs)
  if (round?.tenantId !== tenantId) return { outcome: 'stale' }
  const provider = await findSingleSignOn(deps.database, deps.box, tenantId)
  if (!provider) return { outcome: 'stale' }
  const answer = new URL(singleSignOnUrls(deps.consoleUrl, tenantId).callback)
  answer.search = query
  const vouched = await deps.providers.redeem(provider, round, answer, nowMs)
  switch (vouched.kind) {
    case 'vouched':
      return deps.database.transaction((tx) => letIn(tx, round, provider.issuer, vouched, origin, nowMs))
    case 'unreachable':
      return { outcome: 'unavailable', detail: vouched.detail }
    case 'declined':
      return { outcome: 'declined', detail: vouched.detail }
    case 'invalid':
      return { outcome: 'refused', detail: vouched.detail }
  }
}

async function letIn(
  tx: Tx,
  { tenantId, purpose, state, to }: Round,
  issuer: string,
  { subject, authTime }: Vouched,
  origin: RequestOrigin,
  nowMs: number,
): Promise<Finished> {
  // A round is good once, whatever the provider makes of a code that comes twice.
  if (!(await useChallenge(tx, state))) return { outcome: 'stale' }
  const identity = { tenantId, issuer, subject }
  if (!(await isStillSet(tx, identity))) return { outcome: 'stale' }
  switch (purpose.kind) {
    case 'sign_in': {
      const personId = await holdPersonOf(tx, identity)
      return personId === undefined ? { outcome: 'unknown' } : signIn(personId)
    }
    case 'invitation': {
      const personId = await takeUp(tx, purpose.token, identity)
      return typeof personId === 'string' ? signIn(personId) : personId
    }
    case 'link':
      return linkOwn(tx, purpose, identity, to, origin)
    case 'prove':
      return prove(tx, purpose, identity, to, origin)
  }

  async function signIn(personId: Uuid): Promise<Finished> {
    const user = personRef(personId)
    const provenSecondsAgo = authTime === undefined ? 0 : Math.max(0, nowMs / 1000 - authTime)
    await recordSignIn(tx, user, [tenantId], 'signIn', origin)
    const facts = { whole: true, inTenantId: tenantId }
    const session = await startSession(tx, user, facts, origin, { tenantId, provenSecondsAgo })
    return { outcome: 'signed_in', session, tenantId, to }
  }
}

/** Until the transaction ends nobody takes the provider away, nor what is linked to it. */
async function isStillSet(tx: Tx, { tenantId, issuer }: Identity): Promise<boolean> {
  const set = await tx.first(sql<{ found: boolean }>`
    select true as found from single_sign_on where tenant_id = ${tenantId} and issuer = ${issuer} for key share`)
  return set !== undefined
}

/** Who is linked to it, and stays so until the transaction ends. */
async function holdPersonOf(tx: Tx, identity: Identity): Promise<Uuid | undefined> {
  const personId = await findPersonOf(tx, identity)
  if (personId === undefined || !(await holdUser(tx, personRef(personId)))) return undefined
  return (await findPersonOf(tx, identity)) === personId ? personId : undefined
}

/** Joins the tenant, linked to who signed in there. Gives the person. */
async function takeUp(tx: Tx, token: string, identity: Identity): Promise<Uuid | Finished> {
  const link = await findLink(tx, 'person', token)
  if (link?.purpose !== 'invitation' || link.forTenantId !== identity.tenantId) return { outcome: 'no_invitation' }
  if (!(await lockUser(tx, link))) return { outcome: 'no_invitation' }
  // Who can sign in everywhere takes it up signed in: whoever holds a link need not be who holds the password.
  if ((await factorsOf(tx, link)).own) return { outcome: 'no_invitation' }
  const personId = await findPersonOf(tx, identity)
  if (personId !== undefined && personId !== link.userId) return { outcome: 'somebody_else' }
  if (!(await useLink(tx, link, token))) return { outcome: 'no_invitation' }
  await joinTenant(tx, link)
  return (await linkIdentity(tx, identity, link.userId)) ? link.userId : { outcome: 'somebody_else' }
}

type Own<Kind extends RoundPurpose['kind']> = Extract<RoundPurpose, { kind: Kind }>

async function linkOwn(
  tx: Tx,
  { personId, sessionId }: Own<'link'>,
  identity: Identity,
  to: string,
  origin: RequestOrigin,
): Promise<Finished> {
  await lockUser(tx, personRef(personId))
  const member = await tx.first(sql<{ found: boolean }>`
    select true as found from sessions s join memberships m on m.person_id = s.user_id
    where s.tenant_id = ${DIRECTORY} and s.user_id = ${personId} and s.id = ${sessionId}
      and m.tenant_id = ${identity.tenantId} and m.joined_at is not null
    for share of m`)
  if (!member) return { outcome: 'stale' }
  if (!(await linkIdentity(tx, identity, personId))) return { outcome: 'somebody_else' }
  await recordSignIn(tx, personRef(personId), [identity.tenantId], 'identity.link', origin)
  return { outcome: 'linked', to }
}

async function prove(
  tx: Tx,
  { personId, sessionId }: Own<'prove'>,
  identity: Identity,
  to: string,
  origin: RequestOrigin,
): Promise<Finished> {
  if ((await holdPersonOf(tx, identity)) !== personId) return { outcome: 'somebody_else' }
  const facts = { whole: true, proven: true, inTenantId: identity.tenantId }
  const session = await renewSession(tx, { ...personRef(personId), sessionId }, facts)
  if (!session) return { outcome: 'stale' }
  await recordSignIn(tx, personRef(personId), [identity.tenantId], 'signIn', origin)
  return { outcome: 'signed_in', session, tenantId: identity.tenantId, to }
}
