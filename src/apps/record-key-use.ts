// How often each key is used, and when it last was, to the minute.
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** For so many days is it kept how often a key was used, today among them. specification.md#retention-times */
export const KEY_USE_DAYS = 7

export interface KeyUse {
  readonly tenantId: Uuid
  readonly keyId: Uuid
  /** Since they were last recorded; 1 at least. */
  requests: number
}

/** Adds to what was counted today, and notes when keys were used, once a minute each at most. */
export async function recordKeyUse(db: Db, uses: readonly KeyUse[]): Promise<void> {
  await db.rows(sql`
    with used as materialized (
      select u.tenant_id, u.key_id, u.requests
      from unnest(${uses.map((use) => use.tenantId)}::uuid[], ${uses.map((use) => use.keyId)}::uuid[],
        ${uses.map((use) => use.requests)}::bigint[]) as u (tenant_id, key_id, requests)
    ),
    counted as (
      insert into api_key_requests as r (tenant_id, key_id, day, requests)
      select u.tenant_id, u.key_id, (statement_timestamp() at time zone 'UTC')::date, u.requests
      from used u
      order by u.tenant_id, u.key_id
      on conflict (tenant_id, key_id, day) do update set requests = r.requests + excluded.requests
    )
    insert into api_key_usage (tenant_id, key_id, last_used_at)
    select u.tenant_id, u.key_id, clock_timestamp()
    from used u
    order by u.tenant_id, u.key_id
    on conflict (tenant_id, key_id) do update set last_used_at = excluded.last_used_at
    where api_key_usage.last_used_at < excluded.last_used_at - interval '1 minute'`)
}

/** Days that are over. Gives how many went. */
export async function sweepKeyUse(db: Db, limit: number): Promise<number> {
  const rows = await db.rows(sql<{ keyId: Uuid }>`
    delete from api_key_requests where (tenant_id, key_id, day) in (
      select tenant_id, key_id, day from api_key_requests
      where day < (statement_timestamp() at time zone 'UTC')::date - ${KEY_USE_DAYS - 1}::integer
      order by day limit ${limit} for update skip locked)
    returning key_id as "keyId"`)
  return rows.length
}
