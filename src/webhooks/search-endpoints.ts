// Endpoints by a part of their URL or description, or one by its id, to whoever looks for something and does not know where it is.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { endpointReach } from './endpoint-reach.ts'

/** Up to `limit` within the actor's reach, oldest first. @throws Problem not_allowed */
export function searchEndpoints(
  db: Db,
  actor: TenantActor,
  { text, id }: { text: string; id: Uuid | null },
  limit: number,
): Promise<{ id: Uuid; url: string; enabled: boolean }[]> {
  assertMay(actor, 'readWebhooks')
  const { tenantId, environmentId, appId } = endpointReach(actor)
  return db.rows(sql<{ id: Uuid; url: string; enabled: boolean }>`
    select id, url, enabled from webhook_endpoints
    where tenant_id = ${tenantId} and environment_id = ${environmentId} and deleted_at is null
      and (${appId}::uuid is null or app_id = ${appId})
      and (id = ${id} or position(lower(${text}) in lower(url)) > 0 or position(lower(${text}) in lower(description)) > 0)
    order by id limit ${limit}`)
}
