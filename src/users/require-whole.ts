// What users change of their own asks for a session in which all factors are proven, or were proven a moment ago.
import { problem } from '../access/problem.ts'
import type { Db } from '../lib/sql.ts'
import { tenantsOfUser } from './find-user.ts'
import type { FoundSession } from './sessions.ts'

/** @throws Problem not_signed_in while a second factor is still asked for */
export function requireWhole(session: FoundSession): void {
  if (!session.whole) throw problem('not_signed_in')
}

/**
 * Not for a session that a tenant's provider has opened: whoever runs the provider could open one, and would get into the
 * user's other tenants by a factor added in it, or by a tenant joined in it.
 * @throws Problem not_allowed
 */
export function requireOwnFactors({ onlyTenantId }: FoundSession): void {
  if (onlyTenantId === null) return
  throw problem('not_allowed', {
    message: 'You signed in by single sign-on. Sign in with a password or a passkey of your own to do this.',
  })
}

/**
 * For what is the user's in every tenant: a session that a tenant's provider has opened does it where there is no other.
 * @throws Problem not_signed_in, not_allowed
 */
export async function requireReach(db: Db, session: FoundSession): Promise<void> {
  requireWhole(session)
  if ((await tenantsOfUser(db, session)).some((tenantId) => tenantId !== session.onlyTenantId))
    requireOwnFactors(session)
}

/**
 * For what changes how one signs in.
 * @throws Problem not_signed_in, not_allowed, sign_in_again when all factors were proven more than ten minutes ago
 */
export function requireFresh(session: FoundSession): void {
  requireWhole(session)
  requireOwnFactors(session)
  if (!session.fresh) throw problem('sign_in_again')
}
