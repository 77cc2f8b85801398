// Keys as the operator knows them: by id, by name, or by what a key begins with. Nothing secret.
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import type { ListedKey } from './list-keys.ts'

export interface ShownKey extends ListedKey {
  tenantId: Uuid
  appId: Uuid
}

/** So many characters of the public id at least tell a key's beginning from a name: as many as the list shows. */
const BEGINNING = /^mdk_(?:live|test)_([0-9A-Za-z]{6,})$/
const PUBLIC_ID_CHARACTERS = 22

/**
 * Those of the id, and of the name or beginning, each as far as it is given, newest first. A beginning is what the list shows,
 * or any more of the key: what follows its public id is not looked at.
 */
export function findShownKeys(
  db: Db,
  { id, name, appId, tenantId }: { id?: Uuid; name?: string; appId?: Uuid | undefined; tenantId?: Uuid | undefined },
): Promise<ShownKey[]> {
  const beginning = BEGINNING.exec(name ?? '')?.[1]?.slice(0, PUBLIC_ID_CHARACTERS)
  return db.rows(sql<ShownKey>`
    select k.id, k.tenant_id as "tenantId", k.app_id as "appId", k.name,
      case a.environment when 'production' then 'mdk_live_' else 'mdk_test_' end || left(k.public_id, 6) as prefix,
      k.scopes, k.created_at as "createdAt", k.expires_at as "expiresAt", k.revoked_at as "revokedAt",
      u.last_used_at as "lastUsedAt"
    from api_keys k
    join apps a on a.tenant_id = k.tenant_id and a.id = k.app_id
    left join api_key_usage u on u.tenant_id = k.tenant_id and u.key_id = k.id
    where (${id ?? null}::uuid is null or k.id = ${id ?? null})
      and (${name ?? null}::text is null or k.name = ${name ?? null} or starts_with(k.public_id, ${beginning ?? null}))
      and (${appId ?? null}::uuid is null or k.app_id = ${appId ?? null})
      and (${tenantId ?? null}::uuid is null or k.tenant_id = ${tenantId ?? null})
    order by k.created_at desc`)
}
