// When each key was last used, to the minute.
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** Notes that keys were used, once a minute each at most. */
export async function recordKeyUse(db: Db, keys: { tenantId: Uuid; keyId: Uuid }[]): Promise<void> {
  await db.rows(sql`
    insert into api_key_usage (tenant_id, key_id, last_used_at)
    select u.tenant_id, u.key_id, clock_timestamp()
    from unnest(${keys.map((k) => k.tenantId)}::uuid[], ${keys.map((k) => k.keyId)}::uuid[]) as u (tenant_id, key_id)
    order by u.tenant_id, u.key_id
    on conflict (tenant_id, key_id) do update set last_used_at = excluded.last_used_at
    where api_key_usage.last_used_at < excluded.last_used_at - interval '1 minute'`)
}
