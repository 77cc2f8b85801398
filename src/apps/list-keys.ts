// The keys of an application as people see them: nothing secret.
import type { TenantActor } from '../access/actor.ts'
import { assertMay, type Scope } from '../access/permissions.ts'
import { type Db, sql, type Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { environmentOfApp } from './find-app.ts'

export interface ListedKey {
  id: Uuid
  name: string | null
  prefix: string
  scopes: Scope[]
  createdAt: Timestamp
  expiresAt: Timestamp | null
  revokedAt: Timestamp | null
  lastUsedAt: Timestamp | null
}

/** Newest first. @throws Problem not_found */
export async function listKeys(db: Db, actor: TenantActor, appId: Uuid): Promise<ListedKey[]> {
  assertMay(actor, 'readApplications')
  const { tenantId } = actor
  const environment = await environmentOfApp(db, tenantId, appId)
  return db.rows(sql<ListedKey>`
    select k.id, k.name,
      case ${environment} when 'production' then 'mdk_live_' else 'mdk_test_' end || left(k.public_id, 6) as prefix,
      k.scopes, k.created_at as "createdAt", k.expires_at as "expiresAt", k.revoked_at as "revokedAt",
      u.last_used_at as "lastUsedAt"
    from api_keys k
    left join api_key_usage u on u.tenant_id = k.tenant_id and u.key_id = k.id
    where k.tenant_id = ${tenantId} and k.app_id = ${appId}
    order by k.created_at desc`)
}
