// Whose a domain's name is: whoever's domain of that name is verified. specification.md#ownership-of-a-domain
import { sql, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/**
 * Whether another tenant has a verified domain of this name, in ASCII. It stays as it is until the transaction ends: whoever
 * verifies one asks this first.
 */
export async function isHeldByAnother(
  tx: Tx,
  { tenantId, domain }: { tenantId: Uuid; domain: string },
): Promise<boolean> {
  await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended('domain ' || ${domain}, 0))`)
  const row = await tx.first(sql<{ id: Uuid }>`
    select id from domains where domain = ${domain} and verified and tenant_id <> ${tenantId}`)
  return row !== undefined
}
