// How many messages wait to be submitted, and since when. What it costs is bounded, however many messages there are: it looks
// at the work that is not done, the oldest first.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { type Db, sql, type Timestamp } from '../lib/sql.ts'
import { OUTBOUND_QUEUE } from './accept-messages.ts'

/** How many jobs of the tenant it looks at, those of webhooks among them. */
const MOST_JOBS_WALKED = 5_000

export interface QueuedMessages {
  queued: number
  /** There are more jobs than were looked at. */
  more: boolean
  oldestQueuedAt: Timestamp | null
}

/** Of an environment. @throws Problem not_allowed, insufficient_scope */
export async function countQueued(
  db: Db,
  actor: TenantActor,
  mostWalked: number = MOST_JOBS_WALKED,
): Promise<QueuedMessages> {
  assertMay(actor, 'readMessages')
  const row = await db.first(sql<QueuedMessages>`
    select count(m.id)::integer as queued, count(*) = ${mostWalked} as more, min(m.created_at) as "oldestQueuedAt"
    from (
      select j.queue, j.subject_id from jobs j where j.tenant_id = ${actor.tenantId} order by j.id limit ${mostWalked}
    ) j
    left join lateral (
      select s.message_id from message_states s
      where s.tenant_id = ${actor.tenantId} and s.message_id = j.subject_id and s.status = 'queued'
        and j.queue = ${OUTBOUND_QUEUE}
      limit 1
    ) s on true
    left join lateral (
      select m.id, m.created_at from messages m
      where m.tenant_id = ${actor.tenantId} and m.id = s.message_id and m.environment_id = ${actor.environmentId}
        and m.gone is null
      limit 1
    ) m on true`)
  return row as QueuedMessages
}
