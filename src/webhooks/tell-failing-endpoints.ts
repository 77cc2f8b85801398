// Tells Owners of the endpoints that have been failing for an hour, and of those that were disabled because they kept failing.
import { type Database, type Db, sql, type Timestamp, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { tellOwners } from '../notices/tell-owners.ts'

/** specification.md#notices-by-mail */
const FAILING_FOR_S = 3_600

export interface FailingEndpoint {
  tenantId: Uuid
  id: Uuid
  url: string
  /** When the first of its failures in a row was counted. */
  since: Timestamp
}

/** Once for each time that one begins to fail. Gives how many were found that an Owner had not been told of. */
export async function tellOfFailingEndpoints(database: Database, limit: number): Promise<number> {
  const found = await findFailing(database, limit)
  for (const { tenantId, occasion, ...endpoint } of found) {
    const facts = factsOf(endpoint)
    await database.transaction((tx) => tellOwners(tx, tenantId, { kind: 'endpoint_failing', facts, occasion }))
  }
  return found.length
}

/** In the transaction that disables it. */
export async function tellOfDisabledEndpoint(tx: Tx, { tenantId, ...endpoint }: FailingEndpoint): Promise<void> {
  const occasion = `${endpoint.id}/${endpoint.since}`
  await tellOwners(tx, tenantId, { kind: 'endpoint_disabled', facts: factsOf(endpoint), occasion })
}

/** The rest of a URL may hold secrets. */
function factsOf({ id: endpointId, url, since }: Omit<FailingEndpoint, 'tenantId'>) {
  return { endpointId, host: new URL(url).host, since }
}

function findFailing(db: Db, limit: number): Promise<(FailingEndpoint & { occasion: string })[]> {
  return db.rows(sql<FailingEndpoint & { occasion: string }>`
    select w.tenant_id as "tenantId", w.id, w.url, w.failing_since as since, o.occasion
    from webhook_endpoints w
    cross join lateral (select concat(w.id, '/', w.failing_since) as occasion) o
    where w.failing_since < statement_timestamp() - make_interval(secs => ${FAILING_FOR_S}) and w.enabled
      and w.deleted_at is null and exists (
        select from memberships m
        where m.tenant_id = w.tenant_id and m.role = 'owner' and m.joined_at is not null and not exists (
          select from notices n
          where n.tenant_id = m.tenant_id and n.user_id = m.person_id and n.kind = 'endpoint_failing'
            and n.occasion = o.occasion
          offset 0)
        offset 0)
    order by w.failing_since limit ${limit}`)
}
