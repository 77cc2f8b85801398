// The keys of an application as people see them: nothing secret.
import { DIRECTORY, type TenantActor } from '../access/actor.ts'
import { assertMay, type Scope } from '../access/permissions.ts'
import { type Db, sql, type Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { environmentOfApp } from './find-app.ts'
import { KEY_USE_DAYS } from './record-key-use.ts'

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

export interface KeyInUse extends ListedKey {
  /** A person's name is what they call themselves, or else their address; null when there is no such person any more. */
  madeBy: { kind: 'person' | 'operator'; name: string | null } | null
  /** The key that it was made in the place of. */
  replaces: Uuid | null
  /** Of each day of UTC in the last week, the oldest first, today last. */
  requests: { day: string; requests: number }[]
}

/** Newest first: all that are good, and of the others the newest, all unless `mostEnded` says otherwise. @throws Problem not_found */
export async function listKeys(
  db: Db,
  actor: TenantActor,
  appId: Uuid,
  mostEnded: number | null = null,
): Promise<KeyInUse[]> {
  assertMay(actor, 'readApplications')
  const { tenantId } = actor
  const environment = await environmentOfApp(db, tenantId, appId)
  return db.rows(sql<KeyInUse>`
    select k.id, k.name,
      case ${environment} when 'production' then 'mdk_live_' else 'mdk_test_' end || left(k.public_id, 6) as prefix,
      k.scopes, k.created_at as "createdAt", k.expires_at as "expiresAt", k.revoked_at as "revokedAt",
      u.last_used_at as "lastUsedAt",
      case
        when k.made_by_person is not null then json_build_object('kind', 'person', 'name', coalesce(p.name, p.login))
        when k.made_by_account is not null then json_build_object('kind', 'operator', 'name', null)
      end as "madeBy",
      k.replaces,
      (
        select json_agg(json_build_object('day', d.day, 'requests', coalesce(r.requests, 0)) order by d.day)
        from (
          select (statement_timestamp() at time zone 'UTC')::date - n as day from generate_series(0, ${KEY_USE_DAYS - 1}::integer) n
        ) d
        left join api_key_requests r on r.tenant_id = k.tenant_id and r.key_id = k.id and r.day = d.day
      ) as requests
    from api_keys k
    left join api_key_usage u on u.tenant_id = k.tenant_id and u.key_id = k.id
    left join users p on p.tenant_id = ${DIRECTORY} and p.id = k.made_by_person
    where k.tenant_id = ${tenantId} and k.app_id = ${appId}
      and (
        k.revoked_at is null and (k.expires_at is null or k.expires_at > statement_timestamp())
        or k.id = any (array(
          select e.id from api_keys e
          where e.tenant_id = ${tenantId} and e.app_id = ${appId}
            and (e.revoked_at is not null or e.expires_at <= statement_timestamp())
          order by e.created_at desc, e.id limit ${mostEnded}::integer))
      )
    order by k.created_at desc, k.id`)
}
