// Removes what is left of deleted endpoints and deliveries that ended long ago, and seals secrets anew under the
// current key.
import { openLane } from '../lib/queue/lanes.ts'
import { resealEach } from '../lib/reseal.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { type Database, type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { WEBHOOK_QUEUE } from './delivery-state.ts'
import { type SealedSecrets, sealSecretsAnew } from './signing-keys.ts'

/** How long a delivery that has ended is kept to be looked at and replayed. */
export const DELIVERIES_KEPT_DAYS = 30

/** A transaction that still saw the endpoint has ended by then, and its deliveries have been removed. */
const ENDPOINT_KEPT_MINUTES = 60

/** Deliveries of deleted endpoints, and an hour later these themselves. Gives how many rows went. */
export async function sweepDeletedEndpoints(database: Database, limit: number): Promise<number> {
  const deliveries = await database.rows(sql<{ id: Uuid }>`
    delete from webhook_deliveries d
    using (
      select p.tenant_id, p.id from webhook_endpoints w
      join webhook_deliveries p on p.tenant_id = w.tenant_id and p.endpoint_id = w.id
      where w.deleted_at is not null limit ${limit} for update of p skip locked
    ) old
    where d.tenant_id = old.tenant_id and d.id = old.id
    returning d.id`)
  if (deliveries.length > 0) return deliveries.length
  return database.transaction(async (tx) => {
    const endpoints = await tx.rows(sql<{ tenantId: Uuid; id: Uuid }>`
      delete from webhook_endpoints w
      where w.id in (
        select o.id from webhook_endpoints o
        where o.deleted_at < statement_timestamp() - make_interval(mins => ${ENDPOINT_KEPT_MINUTES})
          and not exists (select from webhook_deliveries d where d.tenant_id = o.tenant_id and d.endpoint_id = o.id)
        limit ${limit} for update skip locked)
      returning w.tenant_id as "tenantId", w.id`)
    for (const { tenantId, id: lane } of endpoints) {
      await openLane(tx, { tenantId, queue: WEBHOOK_QUEUE, lane }, null)
    }
    return endpoints.length
  })
}

/** Deliveries that ended long ago, endpoint by endpoint from the old end of its index. Gives how many went. */
export async function sweepOldDeliveries(db: Db, limit: number): Promise<number> {
  const rows = await db.rows(sql<{ id: Uuid }>`
    delete from webhook_deliveries d
    using (
      select old.tenant_id, old.id from webhook_endpoints w
      cross join lateral (
        select p.tenant_id, p.id from webhook_deliveries p
        where p.tenant_id = w.tenant_id and p.endpoint_id = w.id and p.status <> 'pending'
          and p.id < uuid_at(statement_timestamp() - make_interval(days => ${DELIVERIES_KEPT_DAYS}))
        order by p.id limit ${limit}
      ) old
      limit ${limit}
    ) old
    where d.tenant_id = old.tenant_id and d.id = old.id and d.status <> 'pending'
    returning d.id`)
  return rows.length
}

/**
 * Secrets that an older key sealed. Gives how many were sealed anew. @throws AggregateError, when all others are, that
 * names the endpoints whose secrets do not open
 */
export async function resealSecrets(db: Db, box: SecretBox, keyVersion: number, limit: number): Promise<number> {
  const rows = await db.rows(sql<SealedSecrets>`
    select tenant_id, id, secret, previous_secret from webhook_endpoints
    where sealed_with(secret) <> ${keyVersion} or sealed_with(previous_secret) <> ${keyVersion} limit ${limit}`)
  return resealEach(
    rows,
    ({ id }) => `webhook endpoint ${id}`,
    (row) => {
      const fresh = sealSecretsAnew(box, row)
      // Guarded: a rotation meanwhile wins.
      return db.rows(sql`
        update webhook_endpoints set secret = ${fresh.secret}, previous_secret = ${fresh.previous_secret}
        where tenant_id = ${row.tenant_id} and id = ${row.id} and secret = ${row.secret}
          and previous_secret is not distinct from ${row.previous_secret}`)
    },
  )
}
