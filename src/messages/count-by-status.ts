// How many messages of late are in which status. What it costs is bounded, however many there are.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { type Db, sql, type Timestamp } from '../lib/sql.ts'

/** How many it looks at, newest first. */
const MOST_COUNTED = 5_000

export interface MessageCounts {
  since: Timestamp
  received: number
  queued: number
  sent: number
  delivered: number
  bounced: number
  failed: number
  /** There are more since then than were looked at. */
  more: boolean
  /** Of those that were looked at. */
  oldestQueuedAt: Timestamp | null
}

/** Of an environment, of the last `days` days. @throws Problem not_allowed, insufficient_scope */
export async function countByStatus(db: Db, actor: TenantActor, days: number): Promise<MessageCounts> {
  assertMay(actor, 'readMessages')
  const row = await db.first(sql<MessageCounts>`
    select min(w.since) as since,
      (count(w.id) filter (where w.status = 'received'))::integer as received,
      (count(w.id) filter (where w.status = 'queued'))::integer as queued,
      (count(w.id) filter (where w.status = 'sent'))::integer as sent,
      (count(w.id) filter (where w.status = 'delivered'))::integer as delivered,
      (count(w.id) filter (where w.status = 'bounced'))::integer as bounced,
      (count(w.id) filter (where w.status = 'failed'))::integer as failed,
      count(w.id) = ${MOST_COUNTED} as more,
      min(w.created_at) filter (where w.status = 'queued') as "oldestQueuedAt"
    from (
      select b.since, m.id, m.created_at, coalesce(s.status, 'received') as status
      from (select clock_timestamp() - make_interval(days => ${days}) as since) b
      left join lateral (
        select m.id, m.created_at from messages m
        where m.tenant_id = ${actor.tenantId} and m.environment_id = ${actor.environmentId} and m.created_at >= b.since
          and m.gone is null
        order by m.created_at desc, m.seq desc limit ${MOST_COUNTED}
      ) m on true
      left join lateral (
        select s.status from message_states s
        where s.tenant_id = ${actor.tenantId} and s.message_id = m.id limit 1
      ) s on true
    ) w`)
  return row as MessageCounts
}
