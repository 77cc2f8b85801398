// Whose a message is that came back or was reported on.
import { type Db, sql } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'

/** Whose a message is that a report names; undefined also for mail of a sandbox, which no relay was ever given. */
export function findSentMessage(db: Db, messageId: Uuid): Promise<{ tenantId: Uuid } | undefined> {
  return db.first(sql<{ tenantId: Uuid }>`
    select tenant_id as "tenantId" from messages
    where id = ${messageId} and direction = 'outbound' and environment_id = tenant_id`)
}
