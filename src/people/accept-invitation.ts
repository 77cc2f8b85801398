// Takes up an invitation as somebody who can sign in already, and has.

import type { RequestOrigin } from '../access/request-origin.ts'
import { recordAct } from '../audit/record.ts'
import { type Database, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { findLink, useLink } from '../users/links.ts'
import { lockUser } from '../users/lock-user.ts'
import { requireOwnFactors, requireWhole } from '../users/require-whole.ts'
import type { FoundSession } from '../users/sessions.ts'
import { joinTenant } from './join-tenant.ts'

/** Gives the tenant; undefined when the link is no good, or somebody else's. @throws Problem not_signed_in, not_allowed */
export async function acceptInvitation(
  database: Database,
  session: FoundSession,
  token: string,
  origin: RequestOrigin,
): Promise<Uuid | undefined> {
  requireWhole(session)
  requireOwnFactors(session)
  const link = await findLink(database, 'person', token)
  if (!link?.forTenantId || link.purpose !== 'invitation' || link.userId !== session.userId) return undefined
  const tenantId = link.forTenantId
  return database.transaction(async (tx) => {
    if (!(await lockUser(tx, link)) || !(await useLink(tx, link, token))) return undefined
    await joinTenant(tx, link)
    const member = await tx.first(sql<{ role: 'owner' | 'admin' }>`
      select role from memberships where tenant_id = ${tenantId} and person_id = ${session.userId}`)
    if (!member) return undefined
    const person = {
      kind: 'person' as const,
      personId: session.userId,
      role: member.role,
      signedInRecently: session.fresh,
    }
    await recordAct(
      tx,
      { ...person, tenantId, environmentId: tenantId, origin },
      { operation: 'person.join', resourceType: 'person', resourceId: session.userId },
    )
    return tenantId
  })
}
