// Uses an invitation or a reset up: gives the user a password or a passkey, joins the tenant, and signs in.
import type { RequestOrigin } from '../access/request-origin.ts'
import type { Hasher } from '../lib/hash-turns.ts'
import type { Database, Tx } from '../lib/sql.ts'
import { tenantsOfUser } from './find-user.ts'
import { forgetFactors } from './forget-factors.ts'
import { dropLinks, type FoundLink, findLink, useLink } from './links.ts'
import { lockUser } from './lock-user.ts'
import { recordSignIn, type SignInAct } from './record-sign-in.ts'
import { forgetRecoveryAddress } from './recovery-address.ts'
import { type NewSession, startSession } from './sessions.ts'
import { hashPassword, setPassword } from './set-password.ts'
import type { UserKind } from './user.ts'

/**
 * What makes whoever has just proven who they are a member of the tenant that invited them: the feature's that knows of
 * memberships.
 */
export type Join = (tx: Tx, link: FoundLink) => Promise<void>

/**
 * Undefined when the link is no good, or not enough: an invitation of somebody who can sign in, or has a role, already
 * leads to the sign-in, as whoever made the link must not become that user.
 * @throws Problem validation_error naming `password`
 */
export function takeUpLink(
  { database, hasher, join }: { database: Database; hasher: Hasher; join: Join },
  kind: UserKind,
  { token, password }: { token: string; password: string },
  origin: RequestOrigin,
): Promise<NewSession | undefined> {
  return takeUp({ database, join }, kind, token, origin, async (link) => {
    const hashed = await hashPassword(hasher, password, { login: link.login, hasSecondFactor: false })
    return { act: 'password.set', give: (tx) => setPassword(tx, link, hashed) }
  })
}

/** Whether the link alone lets its holder choose what the user signs in by. */
export function isEnough({ purpose, isSomebody }: Pick<FoundLink, 'purpose' | 'isSomebody'>): boolean {
  return purpose === 'reset' || (purpose === 'invitation' && !isSomebody)
}

/** What the user signs in by from then on. */
interface FirstFactor {
  act: SignInAct
  give(tx: Tx): Promise<void>
}

/** The same with whichever first factor `prepare` makes, before the transaction that gives it to the user. */
export async function takeUp(
  { database, join }: { database: Database; join: Join },
  kind: UserKind,
  token: string,
  origin: RequestOrigin,
  prepare: (link: FoundLink) => Promise<FirstFactor>,
): Promise<NewSession | undefined> {
  const link = await findLink(database, kind, token)
  if (!link || !isEnough(link)) return undefined
  const factor = await prepare(link)
  return database.transaction(async (tx) => {
    await lockUser(tx, link)
    // Somebody else's link to the same new user may have been taken up a moment ago.
    const found = await findLink(tx, kind, token)
    if (!found || !isEnough(found) || !(await useLink(tx, link, token))) return undefined
    // A reset is for whoever has lost what they prove themselves by: nothing of it counts any more.
    if (link.purpose === 'reset') await forgetFactors(tx, link)
    // An Owner makes one also of a user whom somebody else has become, and who would come back by an address of theirs.
    if (link.purpose === 'reset' && link.forTenantId !== null) await forgetRecoveryAddress(tx, link)
    await factor.give(tx)
    if (link.purpose === 'reset') await dropLinks(tx, link, 'all')
    await join(tx, link)
    const tenants = await tenantsOfUser(tx, link)
    await recordSignIn(tx, link, tenants, factor.act, origin)
    await recordSignIn(tx, link, tenants, 'signIn', origin)
    return startSession(tx, link, { whole: true, inTenantId: link.forTenantId ?? undefined }, origin)
  })
}
