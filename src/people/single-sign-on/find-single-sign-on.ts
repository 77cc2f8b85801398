// A tenant's provider, and what we are to it.
import type { Secret } from '../../lib/secret.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import { type Db, sql } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'

export interface SingleSignOn {
  tenantId: Uuid
  issuer: string
  clientId: string
  clientSecret: Secret
}

/** Undefined when the tenant has none, is suspended, or is not there: strangers are not told which. */
export async function findSingleSignOn(db: Db, box: SecretBox, tenantId: Uuid): Promise<SingleSignOn | undefined> {
  const row = await db.first(sql<Omit<SingleSignOn, 'clientSecret'> & { sealed: Buffer }>`
    select s.tenant_id as "tenantId", s.issuer, s.client_id as "clientId", s.client_secret as sealed
    from single_sign_on s join tenants t on t.id = s.tenant_id
    where s.tenant_id = ${tenantId} and t.status = 'active'`)
  if (!row) return undefined
  const { sealed, ...found } = row
  return { ...found, clientSecret: box.open(sealed, placeOfClientSecret(tenantId)) }
}

/** Where a client's secret is sealed to. */
export function placeOfClientSecret(tenantId: Uuid): string {
  return `single_sign_on/${tenantId}`
}
