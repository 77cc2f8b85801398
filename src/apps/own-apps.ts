// Applications of one tenant, each with the use that is made of it. Whether the actor may is the caller's to ask.
import type { Environment } from '../access/actor.ts'
import { type Db, sql, type Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

export interface AppInUse {
  id: Uuid
  name: string
  environment: Environment
  status: 'active' | 'suspended'
  createdAt: Timestamp
  /** How many there are that are neither revoked nor expired. */
  keys: number
  /** Of all its keys. */
  lastUsedAt: Timestamp | null
}

/** All, by name, or the one of the id. */
export function findOwnApps(db: Db, tenantId: Uuid, id: Uuid | null): Promise<AppInUse[]> {
  return db.rows(sql<AppInUse>`
    select a.id, a.name, a.environment, a.status, a.created_at as "createdAt", k.keys, k.last_used_at as "lastUsedAt"
    from apps a
    cross join lateral (
      select count(*) filter (where k.revoked_at is null
          and (k.expires_at is null or k.expires_at > statement_timestamp()))::integer as keys,
        max(u.last_used_at) as last_used_at
      from api_keys k
      left join api_key_usage u on u.tenant_id = k.tenant_id and u.key_id = k.id
      where k.tenant_id = a.tenant_id and k.app_id = a.id
    ) k
    where a.tenant_id = ${tenantId} and (${id}::uuid is null or a.id = ${id})
    order by lower(a.name), a.id`)
}
