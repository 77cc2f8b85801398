// An invitation is taken up: the person has the role from then on.
import { sql, type Tx } from '../lib/sql.ts'
import type { FoundLink } from '../users/links.ts'

/** Nothing of it when the invitation was taken back meanwhile, or the link is for something else. */
export async function joinTenant(tx: Tx, link: FoundLink): Promise<void> {
  if (link.kind !== 'person' || link.purpose !== 'invitation' || !link.forTenantId) return
  await tx.rows(sql`
    update memberships set joined_at = coalesce(joined_at, clock_timestamp())
    where tenant_id = ${link.forTenantId} and person_id = ${link.userId}`)
}
