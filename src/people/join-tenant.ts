// An invitation, or the operator's link, is taken up: the person has the role from then on.
import { sql, type Tx } from '../lib/sql.ts'
import { dropLinks, type FoundLink } from '../users/links.ts'

/**
 * Of a user who is locked. Nothing of it when the invitation was taken back meanwhile, or the link is for something else.
 * Links to reset the factors that others made are no good any more: an Owner makes them of people of no other tenant.
 */
export async function joinTenant(tx: Tx, link: FoundLink): Promise<void> {
  if (link.kind !== 'person' || link.purpose === 'reset' || !link.forTenantId) return
  await tx.rows(sql`
    update memberships set joined_at = coalesce(joined_at, clock_timestamp())
    where tenant_id = ${link.forTenantId} and person_id = ${link.userId}`)
  await dropLinks(tx, link, { purpose: 'reset' })
}
