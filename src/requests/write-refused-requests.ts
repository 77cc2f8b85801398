// Writes down many refused requests at once, and keeps to the bound of what a tenant may leave.
import type { RefusedRequest } from '../access/refused-request.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** How long they are kept. specification.md#retention-times */
export const REFUSED_KEPT_DAYS = 7

export async function writeRefusedRequests(db: Db, requests: readonly RefusedRequest[]): Promise<void> {
  await db.rows(sql`
    insert into refused_requests (tenant_id, request_id, environment_id, at, method, route, path, status, code, app_id,
      key_id, client_address, user_agent, duration_ms)
    select r."tenantId", r."requestId", r."environmentId", r.at, r.method, r.route, r.path, r.status, r.code, r."appId",
      r."keyId", r."clientAddress", r."userAgent", r."durationMs"
    from json_to_recordset(${JSON.stringify(requests)}::json) as r ("tenantId" uuid, "requestId" uuid,
      "environmentId" uuid, at timestamptz, method text, route text, path text, status smallint, code text,
      "appId" uuid, "keyId" uuid, "clientAddress" text, "userAgent" text, "durationMs" integer)`)
}

/** Removes what these tenants have beyond their newest `most`. What another process is removing is left to it. */
export async function trimRefusedRequests(db: Db, tenantIds: readonly Uuid[], most: number): Promise<void> {
  await db.rows(sql`
    delete from refused_requests where (tenant_id, request_id) in (
      select r.tenant_id, r.request_id
      from unnest(${[...tenantIds]}::uuid[]) as t (id)
      cross join lateral (
        select n.request_id from refused_requests n
        where n.tenant_id = t.id order by n.request_id desc offset ${most - 1} limit 1
      ) oldest
      join refused_requests r on r.tenant_id = t.id and r.request_id < oldest.request_id
      for update of r skip locked)`)
}

/** Removes what is past its time. Gives how many went. */
export async function sweepRefusedRequests(db: Db, limit: number): Promise<number> {
  const rows = await db.rows(sql<{ requestId: Uuid }>`
    delete from refused_requests where ctid = any (array(
      select ctid from refused_requests
      where at < statement_timestamp() - make_interval(days => ${REFUSED_KEPT_DAYS})
      order by at limit ${limit} for update skip locked))
    returning request_id as "requestId"`)
  return rows.length
}
