// The tables of plans, tenants, applications and API keys. Only this feature writes them.
import type { Environment, Scope } from '../access/principal.ts'
import { type Db, sql, type Timestamp, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

export interface StoredKey {
  public_id: string
  tenant_id: Uuid
  app_id: Uuid
  id: Uuid
  secret_hash: string
  /** Null in keys made before there were any. */
  secret_tag: Buffer | null
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

/** Notes that keys were used, once a minute each at most. */
export async function recordUse(db: Db, keys: { tenantId: Uuid; keyId: Uuid }[]): Promise<void> {
  await db.rows(sql`
    insert into api_key_usage (tenant_id, key_id, last_used_at)
    select u.tenant_id, u.key_id, clock_timestamp()
    from unnest(${keys.map((k) => k.tenantId)}::uuid[], ${keys.map((k) => k.keyId)}::uuid[]) as u (tenant_id, key_id)
    order by u.tenant_id, u.key_id
    on conflict (tenant_id, key_id) do update set last_used_at = excluded.last_used_at
    where api_key_usage.last_used_at < excluded.last_used_at - interval '1 minute'`)
}

export interface PlanLimits {
  keyPerMinute: number
  tenantPerDay: number
  messagesPerMonth: number
  storedMib: number
  retentionDays: number
}

export async function findPlan(db: Db, name: string): Promise<PlanLimits | undefined> {
  return db.first(sql<PlanLimits>`
    select key_per_minute as "keyPerMinute", tenant_per_day as "tenantPerDay",
      messages_per_month as "messagesPerMonth", stored_mib as "storedMib", retention_days as "retentionDays"
    from plans where name = ${name}`)
}

export async function savePlan(tx: Tx, name: string, limits: PlanLimits): Promise<void> {
  await tx.rows(sql`
    insert into plans (name, key_per_minute, tenant_per_day, messages_per_month, stored_mib, retention_days)
    values (${name}, ${limits.keyPerMinute}, ${limits.tenantPerDay}, ${limits.messagesPerMonth}, ${limits.storedMib},
      ${limits.retentionDays})
    on conflict (name) do update set key_per_minute = excluded.key_per_minute,
      tenant_per_day = excluded.tenant_per_day, messages_per_month = excluded.messages_per_month,
      stored_mib = excluded.stored_mib, retention_days = excluded.retention_days`)
}

export async function insertTenant(tx: Tx, tenant: { id: Uuid; name: string; plan: string }): Promise<void> {
  await tx.rows(sql`
    insert into tenants (id, name, plan, status) values (${tenant.id}, ${tenant.name}, ${tenant.plan}, 'active')`)
}

/** False when there is no such tenant. */
export async function setTenantStatus(tx: Tx, id: Uuid, status: 'active' | 'suspended'): Promise<boolean> {
  return (
    (await tx.rows(sql<{ id: Uuid }>`update tenants set status = ${status} where id = ${id} returning id`)).length > 0
  )
}

export async function tenantExists(db: Db, id: Uuid): Promise<boolean> {
  return (await db.first(sql<{ id: Uuid }>`select id from tenants where id = ${id}`)) !== undefined
}

export interface App {
  id: Uuid
  tenantId: Uuid
  name: string
  environment: Environment
}

export async function insertApp(tx: Tx, app: App): Promise<void> {
  await tx.rows(sql`
    insert into apps (tenant_id, id, name, environment, status)
    values (${app.tenantId}, ${app.id}, ${app.name}, ${app.environment}, 'active')`)
}

export async function findApp(db: Db, id: Uuid): Promise<App | undefined> {
  return db.first(sql<App>`select tenant_id as "tenantId", id, name, environment from apps where id = ${id}`)
}

/** The tenant of the application; undefined when there is no such application. */
export async function setAppStatus(tx: Tx, id: Uuid, status: 'active' | 'suspended'): Promise<Uuid | undefined> {
  const row = await tx.first(sql<{ tenant_id: Uuid }>`
    update apps set status = ${status} where id = ${id} returning tenant_id`)
  return row?.tenant_id
}

export interface NewKey {
  id: Uuid
  tenantId: Uuid
  appId: Uuid
  name: string | null
  publicId: string
  secretHash: string
  secretTag: Buffer
  scopes: Scope[]
  /** From now by the database's clock; null: never. */
  expiresInSeconds: number | null
}

export async function insertKey(tx: Tx, key: NewKey): Promise<void> {
  await tx.rows(sql`
    insert into api_keys (tenant_id, id, app_id, name, public_id, secret_hash, secret_tag, scopes,
      expires_at)
    values (${key.tenantId}, ${key.id}, ${key.appId}, ${key.name}, ${key.publicId}, ${key.secretHash},
      ${key.secretTag}, ${key.scopes}, clock_timestamp() + make_interval(secs => ${key.expiresInSeconds}))`)
}

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

export function listKeys(db: Db, tenantId: Uuid, appId: Uuid): Promise<ListedKey[]> {
  return db.rows(sql<ListedKey>`
    select k.id, k.name,
      case a.environment when 'production' then 'mdk_live_' else 'mdk_test_' end || left(k.public_id, 6) as prefix,
      k.scopes, k.created_at as "createdAt", k.expires_at as "expiresAt", k.revoked_at as "revokedAt",
      u.last_used_at as "lastUsedAt"
    from api_keys k
    join apps a on a.tenant_id = k.tenant_id and a.id = k.app_id
    left join api_key_usage u on u.tenant_id = k.tenant_id and u.key_id = k.id
    where k.tenant_id = ${tenantId} and k.app_id = ${appId}
    order by k.created_at desc`)
}

/** The tenant of the key; undefined when there is no such key. The first revocation's time stays. */
export async function revokeKey(tx: Tx, id: Uuid): Promise<Uuid | undefined> {
  const row = await tx.first(sql<{ tenant_id: Uuid }>`
    update api_keys set revoked_at = coalesce(revoked_at, clock_timestamp()) where id = ${id} returning tenant_id`)
  return row?.tenant_id
}
