// Makes what follows the feed anew, beside what there is, which counts until the new one has come as far. The workers do it with
// whoever asks, so that it goes on when that ends, and two who ask wait for one and the same.
import { setTimeout as delay } from 'node:timers/promises'
import { type Operator, operatorIn, productionOf, type Realm } from '../access/actor.ts'
import { recordAct } from '../audit/record.ts'
import { type Database, type Db, ranOutOfTime, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { followLogs, MOST_LOGS } from './follow-logs.ts'

/** How many events there are to follow anew, and how many have been. */
export interface RebuildProgress {
  followed: number
  events: number
}

/** While others have the logs in hands. */
const REST_MS = 100

/**
 * Of one tenant, or of all. Searches and counts go on meanwhile; counts are of the events that are in the log.
 * Gives how many environments there were.
 */
export async function rebuildActivity(
  database: Database,
  operator: Operator,
  tenantId: Uuid | null,
  onProgress: (progress: RebuildProgress) => void,
): Promise<{ environments: number; events: number }> {
  const logs = await database.transaction(async (tx) => {
    const actor = tenantId === null ? operator : operatorIn(operator, productionOf(tenantId))
    await recordAct(tx, actor, { operation: 'activity.rebuild', resourceType: 'activity', resourceId: tenantId })
    await beginBuilds(tx, tenantId)
    await findReaders(tx, tenantId)
    return buildsOf(tx, tenantId)
  })
  const events = logs.reduce((sum, log) => sum + log.events, 0)
  for (let open = logs; open.length > 0; open = await buildsOf(database, tenantId)) {
    const done = events - open.reduce((sum, log) => sum + log.events - log.followed, 0)
    onProgress({ followed: Math.max(0, done), events })
    const moved = await followLogs(database, open.slice(0, MOST_LOGS)).catch((error: unknown) => {
      // A message of theirs is being ended at this moment.
      if (!ranOutOfTime(error)) throw error
      return false
    })
    if (!moved) await delay(REST_MS)
  }
  onProgress({ followed: events, events })
  return { environments: logs.length, events }
}

/** Beside the build that counts, unless there is one already. What has not been followed at all needs none. */
async function beginBuilds(db: Db, tenantId: Uuid | null): Promise<void> {
  await db.rows(sql`
    insert into activity_cursors (tenant_id, environment_id, build, epoch, xid, seq, followed)
    select c.tenant_id, c.environment_id, max(c.build) + 1, 0, '0', 0, 0
    from activity_cursors c
    where c.tenant_id = coalesce(${tenantId}::uuid, c.tenant_id)
    group by c.tenant_id, c.environment_id having count(*) = 1
    on conflict do nothing`)
}

/** Mailboxes that somebody reads, and whose words are not kept yet for whatever reason. Whom they know already is counted. */
async function findReaders(db: Db, tenantId: Uuid | null): Promise<void> {
  await db.rows(sql`
    insert into searched_mailboxes (tenant_id, mailbox_id, correspondents)
    select r.tenant_id, r.mailbox_id, (
      select count(*) from correspondents c where c.tenant_id = r.tenant_id and c.mailbox_id = r.mailbox_id)
    from (
      select distinct a.tenant_id, a.mailbox_id from mailbox_access a where a.tenant_id = coalesce(${tenantId}::uuid, a.tenant_id)
    ) r
    on conflict do nothing`)
}

/** The environments in which one is under way. `events`: how many it has to follow. */
function buildsOf(db: Db, tenantId: Uuid | null): Promise<(Realm & RebuildProgress)[]> {
  return db.rows(sql<Realm & RebuildProgress>`
    select c.tenant_id as "tenantId", c.environment_id as "environmentId", c.followed as events, b.followed
    from activity_cursors b
    join activity_cursors c on c.tenant_id = b.tenant_id and c.environment_id = b.environment_id and c.build < b.build
    where b.tenant_id = coalesce(${tenantId}::uuid, b.tenant_id)
    order by b.tenant_id, b.environment_id`)
}
