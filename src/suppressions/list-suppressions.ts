// The addresses of an environment that get no mail, newest first, page by page.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { problem } from '../access/problem.ts'
import { type Db, sql, type Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { decodePlaceInTime, END_OF_TIME, encodePlaceInTime } from './place-in-time.ts'
import type { SuppressionReason } from './tenant-stops.ts'

export interface ListedSuppression {
  id: Uuid
  address: string
  reason: SuppressionReason
  createdAt: Timestamp
  personId: Uuid | null
  account: string | null
  messageId: Uuid | null
  note: string | null
}

/** @throws Problem not_allowed, invalid_cursor */
export async function listSuppressions(
  db: Db,
  actor: TenantActor,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ items: ListedSuppression[]; nextCursor: string | null }> {
  assertMay(actor, 'readSuppressions')
  const before = cursor === undefined ? END_OF_TIME : decodePlaceInTime(cursor)
  if (!before) throw problem('invalid_cursor')
  const rows = await db.rows(sql<ListedSuppression>`
    select s.id, s.address, s.reason, s.created_at as "createdAt", s.made_by_person as "personId",
      s.made_by_account as account, s.message_id as "messageId", s.note
    from suppressions s
    where s.tenant_id = ${actor.tenantId} and s.environment_id = ${actor.environmentId}
      and (s.created_at, s.id) < (to_timestamp(0) + ${before.micros}::bigint * interval '1 microsecond', ${before.id}::uuid)
    order by s.created_at desc, s.id desc limit ${limit + 1}`)
  const items = rows.slice(0, limit)
  const last = rows.length > limit ? items.at(-1) : undefined
  return { items, nextCursor: last ? encodePlaceInTime(last.createdAt, last.id) : null }
}
