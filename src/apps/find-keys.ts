// What the database says of keys: what each is, and whether anything of them has changed.
import type { Environment } from '../access/actor.ts'
import type { Scope } from '../access/permissions.ts'
import { type Db, sql, type Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

export interface StoredKey {
  public_id: string
  tenant_id: Uuid
  app_id: Uuid
  id: Uuid
  secret_hash: string
  secret_tag: Buffer
  scopes: Scope[]
  environment: Environment
  expires_at: Timestamp | null
  /** False when the key is revoked or its application or tenant suspended. */
  active: boolean
  key_per_minute: number
  tenant_per_day: number
}

/** The keys with these public ids, whoever they belong to: this is where a request's tenant comes from. In the order asked. */
export async function findKeys(db: Db, publicIds: readonly string[]): Promise<(StoredKey | undefined)[]> {
  const rows = await db.rows(sql<StoredKey>`
    select k.public_id, k.tenant_id, k.app_id, k.id, k.secret_hash, k.secret_tag, k.scopes, a.environment, k.expires_at,
      k.revoked_at is null and a.status = 'active' and t.status = 'active' as active,
      p.key_per_minute, p.tenant_per_day
    from api_keys k
    join apps a on a.tenant_id = k.tenant_id and a.id = k.app_id
    join tenants t on t.id = k.tenant_id
    join plans p on p.name = t.plan
    where k.public_id = any (${[...publicIds]})`)
  return publicIds.map((publicId) => rows.find((row) => row.public_id === publicId))
}

/** How often credentials have changed, and what the database's clock says. */
export async function credentialVersion(db: Db): Promise<{ version: number; now: Timestamp }> {
  const [row] = await db.rows(sql<{ version: number; now: Timestamp }>`
    select version, clock_timestamp() as now from credential_version`)
  if (!row) throw new Error('credential_version has no row')
  return row
}
