// A signed URL of this service ends with the API key that it was given to.
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** Whether the API key that a signed URL was given to would be let in now. specification.md#signed-urls */
export async function isKeyGood(db: Db, { tenantId, keyId }: { tenantId: Uuid; keyId: Uuid }): Promise<boolean> {
  const row = await db.first(sql`
    select from api_keys k
    join apps a on a.tenant_id = k.tenant_id and a.id = k.app_id
    join tenants t on t.id = k.tenant_id
    where k.tenant_id = ${tenantId} and k.id = ${keyId} and k.revoked_at is null
      and (k.expires_at is null or k.expires_at > clock_timestamp()) and a.status = 'active' and t.status = 'active'`)
  return row !== undefined
}
