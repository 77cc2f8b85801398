// Counts events by the quarter of an hour: of each type for the environment, for each mailbox that it concerns, and for the
// application that sent. specification.md#counts-of-events
import { sql, type Tx } from '../lib/sql.ts'
import { COUNTED_TYPES } from './counted-types.ts'
import type { FollowedEvent } from './read-followed-events.ts'

const counted: ReadonlySet<string> = new Set(COUNTED_TYPES)

export async function addCounts(tx: Tx, events: readonly FollowedEvent[]): Promise<void> {
  const counts = new Map<string, { count: number }>()
  for (const event of events) {
    const { tenantId, environmentId, build, type, quarter } = event
    if (!counted.has(type)) continue
    for (const [subject, isMailbox] of subjectsOf(event)) {
      const key = `${environmentId} ${build} ${subject} ${quarter} ${type}`
      const known = counts.get(key)
      if (known) known.count++
      else {
        const row = {
          tenant_id: tenantId,
          environment_id: environmentId,
          build,
          subject_id: subject,
          is_mailbox: isMailbox,
          at: quarter,
          type,
        }
        counts.set(key, { ...row, count: 1 })
      }
    }
  }
  if (counts.size === 0) return
  await tx.rows(sql`
    insert into activity_counts as a (tenant_id, environment_id, build, subject_id, at, type, count)
    select c.tenant_id, c.environment_id, c.build, c.subject_id, c.at, c.type, c.count
    from json_to_recordset(${JSON.stringify([...counts.values()])}::json) as c (
      tenant_id uuid, environment_id uuid, build integer, subject_id uuid, is_mailbox boolean, at timestamptz, type text,
      count bigint)
    -- What is triggered in a sandbox may name anything as a mailbox.
    where not c.is_mailbox
      or exists (select from mailboxes b where b.tenant_id = c.tenant_id and b.id = c.subject_id)
    on conflict (tenant_id, environment_id, build, subject_id, at, type) do update set count = a.count + excluded.count`)
}

/** Each once, and whether it is one only if there is such a mailbox. A sandbox is its application. */
function subjectsOf({ environmentId, appId, mailboxIds }: FollowedEvent): Map<string, boolean> {
  const subjects = new Map(mailboxIds.map((id) => [id.toLowerCase(), true]))
  if (appId !== null) subjects.set(appId, false)
  return subjects.set(environmentId, false)
}
