// The keys of an application as people see them: nothing secret.
import type { Scope } from '../access/permissions.ts'
import { absent } from '../access/problem.ts'
import { type Db, sql, type Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { findApp } from './find-app.ts'

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
export async function listKeys(db: Db, appId: Uuid): Promise<ListedKey[]> {
  const app = await findApp(db, appId)
  if (!app) throw absent('application')
  return db.rows(sql<ListedKey>`
    select k.id, k.name,
      case a.environment when 'production' then 'mdk_live_' else 'mdk_test_' end || left(k.public_id, 6) as prefix,
      k.scopes, k.created_at as "createdAt", k.expires_at as "expiresAt", k.revoked_at as "revokedAt",
      u.last_used_at as "lastUsedAt"
    from api_keys k
    join apps a on a.tenant_id = k.tenant_id and a.id = k.app_id
    left join api_key_usage u on u.tenant_id = k.tenant_id and u.key_id = k.id
    where k.tenant_id = ${app.tenantId} and k.app_id = ${app.id}
    order by k.created_at desc`)
}
