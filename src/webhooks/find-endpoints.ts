// Which endpoints are meant by an id or a URL, whoever's they are: for the operator, who acts on the data of one tenant at a
// time.
import type { Realm } from '../access/actor.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

export interface NamedEndpoint extends Realm {
  id: Uuid
  url: string
  appId: Uuid
}

/** Those of the id or of the URL, each as far as it is given, oldest first. A URL may have several. */
export function findEndpoints(db: Db, { id, url }: { id?: Uuid; url?: string }): Promise<NamedEndpoint[]> {
  return db.rows(sql<NamedEndpoint>`
    select id, url, app_id as "appId", tenant_id as "tenantId", environment_id as "environmentId"
    from webhook_endpoints
    where (${id ?? null}::uuid is null or id = ${id ?? null}) and (${url ?? null}::text is null or url = ${url ?? null})
      and deleted_at is null
    order by id`)
}
