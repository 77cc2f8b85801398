// What follows the feed, as tests have it do so and look at it.
import type { Realm } from '../../src/access/actor.ts'
import { findLogsBehind } from '../../src/activity/find-logs-behind.ts'
import { followLogs } from '../../src/activity/follow-logs.ts'
import { walkMailboxes } from '../../src/activity/walk-mailboxes.ts'
import { appendEvents } from '../../src/events/append.ts'
import { type Database, sql } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { ACTIVITY_INVARIANTS } from '../../src/ops/activity-invariants.ts'
import { feedCaughtUp } from './feed.ts'

/** Follows everything that is committed by now, and looks through what mailboxes had before. */
export async function followAll(database: Database): Promise<void> {
  await feedCaughtUp(database)
  for (let behind = await findLogsBehind(database); behind.length > 0; behind = await findLogsBehind(database)) {
    await followLogs(database, behind)
  }
  while (!(await walkMailboxes(database)).isDone);
}

/** The names of the invariants that do not hold, with some of what is at fault. */
export async function activityFaults(database: Database): Promise<string[]> {
  const looks = await Promise.all(
    ACTIVITY_INVARIANTS.map(async ([name, look]) => ({ name, ...(await look(database)) })),
  )
  return looks.filter(({ count }) => count > 0).map(({ name, count, examples }) => `${name}: ${count}, ${examples}`)
}

export interface Counted {
  subject: Uuid
  type: string
  count: number
}

/** Over all of time. */
export function countsOf(database: Database, { tenantId, environmentId }: Realm): Promise<Counted[]> {
  return database.rows(sql<Counted>`
    select a.subject_id as subject, a.type, sum(a.count)::integer as count from activity_counts a
    where a.tenant_id = ${tenantId} and a.environment_id = ${environmentId} group by 1, 2`)
}

export interface WrittenMessage {
  subject?: string
  to?: { address: string; name: string | null }[]
  from?: string
  createdAt?: string
}

/** Messages that were received, with their first events. Gives their ids. */
export async function writeMessages(
  database: Database,
  { tenantId, environmentId }: Realm,
  messages: readonly WrittenMessage[],
): Promise<Uuid[]> {
  const rows = messages.map((message) => ({ id: newId(), ...message }))
  await database.transaction(async (tx) => {
    await tx.rows(sql`
      insert into messages (tenant_id, id, environment_id, created_at, direction, from_address, to_addresses, cc_addresses,
        bcc_addresses, subject, preview, received_at)
      select ${tenantId}, g.id, ${environmentId}, coalesce(g."createdAt", clock_timestamp()), 'inbound', g."from",
        coalesce(g."to", '[]'), '[]', '[]', coalesce(g.subject, ''), '', clock_timestamp()
      from json_to_recordset(${JSON.stringify(rows)}::json) as g (
        id uuid, "createdAt" timestamptz, "from" text, "to" json, subject text)`)
    await appendEvents(
      tx,
      rows.map(({ id }) => {
        return { tenantId, environmentId, type: 'message.received', resourceType: 'message', resourceId: id, data: {} }
      }),
    )
  })
  return rows.map(({ id }) => id)
}
