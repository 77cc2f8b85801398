// Signs in whoever has a link that the operator made for that: no factor is asked for.
import type { RequestOrigin } from '../access/request-origin.ts'
import type { Database } from '../lib/sql.ts'
import { tenantsOfUser } from './find-user.ts'
import { findLink, useLink } from './links.ts'
import { lockUser } from './lock-user.ts'
import { recordSignIn } from './record-sign-in.ts'
import { type NewSession, startSession } from './sessions.ts'
import type { Join } from './take-up-link.ts'
import type { UserKind } from './user.ts'

/** Undefined when the link is no good, was used before, or is for something else. */
export async function signInByLink(
  { database, join }: { database: Database; join: Join },
  kind: UserKind,
  token: string,
  origin: RequestOrigin,
): Promise<NewSession | undefined> {
  const link = await findLink(database, kind, token)
  if (link?.purpose !== 'sign_in') return undefined
  return database.transaction(async (tx) => {
    if (!(await lockUser(tx, link)) || !(await useLink(tx, link, token))) return undefined
    await join(tx, link)
    const tenants = await tenantsOfUser(tx, link)
    if (tenants.length === 0) return undefined
    await recordSignIn(tx, link, tenants, 'signIn', origin)
    return startSession(tx, link, { whole: true, inTenantId: link.forTenantId ?? undefined }, origin)
  })
}
