// Takes logs a piece further: counts their events and what mailboxes have, and notes by which words messages are found, here and in
// the webmail, and whom mailboxes write with, in the transaction that moves their cursors. So each event counts once, whoever is killed, and however many try (ADR 51).
import type { Realm } from '../access/actor.ts'
import { type Database, sql, type Tx } from '../lib/sql.ts'
import { addCounts } from './add-counts.ts'
import { noteCorrespondents } from './correspondents/note-correspondents.ts'
import { countInMailboxes } from './count-in-mailboxes.ts'
import { makeSearchable } from './make-searchable.ts'
import { noteMail } from './note-mail.ts'
import { type FollowedEvent, readFollowedEvents } from './read-followed-events.ts'
import { readMailWords } from './read-mail.ts'
import { takeMail } from './take-mail.ts'

/** In one transaction: while it writes, the feed stands still for all (ADR 5). */
const MOST_EVENTS = 1_000
/** Of each log that takes part, so that one that lies far behind leaves room to the others. */
const LEAST_EVENTS = 25

/** How many logs one turn takes. */
export const MOST_LOGS = 40

/**
 * Takes up to `MOST_LOGS` logs further, those apart that another process has in hands. Gives whether any has more to read.
 * @throws as the database does; what a message's end holds (`ranOutOfTime`) is read when it is over
 */
export function followLogs(database: Database, logs: readonly Realm[]): Promise<boolean> {
  return database.transaction(async (tx) => {
    const taken = await takeLogs(tx, logs)
    if (taken.length === 0) return false
    const limit = Math.max(LEAST_EVENTS, Math.floor(MOST_EVENTS / taken.length))
    const found = await readFollowedEvents(tx, taken, limit)
    if (found.length === 0) return false
    const { events, mail } = await takeMail(tx, found)
    // Before anything is written: words take their time.
    const worded = await readMailWords(tx, mail)
    await makeSearchable(tx, events)
    await noteMail(tx, mail, worded)
    await noteCorrespondents(tx, mail)
    await countInMailboxes(tx, events)
    // One round trip for all that is left.
    await Promise.all([addCounts(tx, events), moveCursors(tx, events)])
    await replaceBuilds(tx, taken)
    return events.length < found.length || found.length >= limit
  })
}

/** Locks that need no row and no transaction id: what only reads holds back no feed. Whose cursor is missing gets one. */
async function takeLogs(tx: Tx, logs: readonly Realm[]): Promise<Realm[]> {
  const tenants = logs.map((log) => log.tenantId)
  const environments = logs.map((log) => log.environmentId)
  const taken = await tx.rows(sql<Realm & { isKnown: boolean }>`
    select l.tenant_id as "tenantId", l.environment_id as "environmentId",
      exists (
        select from activity_cursors c where c.tenant_id = l.tenant_id and c.environment_id = l.environment_id) as "isKnown"
    from unnest(${tenants}::uuid[], ${environments}::uuid[]) as l (tenant_id, environment_id)
    where pg_try_advisory_xact_lock(hashtextextended('activity ' || l.environment_id, 0))`)
  const fresh = taken.filter((log) => !log.isKnown)
  if (fresh.length > 0) {
    await tx.rows(sql`
      insert into activity_cursors (tenant_id, environment_id, build, epoch, xid, seq, followed)
      select l.tenant_id, l.environment_id, 1, 0, '0', 0, 0
      from unnest(${fresh.map((log) => log.tenantId)}::uuid[], ${fresh.map((log) => log.environmentId)}::uuid[])
        as l (tenant_id, environment_id)
      on conflict do nothing`)
  }
  return taken
}

/** To the last of what was read for each. */
async function moveCursors(tx: Tx, events: readonly FollowedEvent[]): Promise<void> {
  const lasts = [...Map.groupBy(events, (event) => `${event.environmentId} ${event.build}`).values()].map((all) => ({
    ...(all.at(-1) as FollowedEvent),
    count: all.length,
  }))
  const moved = await tx.rows(sql<{ build: number }>`
    update activity_cursors c
    set epoch = n.epoch, xid = n.xid::xid8, seq = n.seq, followed = c.followed + n.count
    from unnest(${lasts.map((last) => last.tenantId)}::uuid[], ${lasts.map((last) => last.environmentId)}::uuid[],
      ${lasts.map((last) => last.build)}::integer[], ${lasts.map((last) => last.epoch)}::integer[],
      ${lasts.map((last) => last.xid)}::text[], ${lasts.map((last) => last.seq)}::bigint[],
      ${lasts.map((last) => last.count)}::bigint[])
      as n (tenant_id, environment_id, build, epoch, xid, seq, count)
    where c.tenant_id = n.tenant_id and c.environment_id = n.environment_id and c.build = n.build
      and (c.epoch, c.xid, c.seq) < (n.epoch, n.xid::xid8, n.seq)
    returning c.build`)
  if (moved.length !== lasts.length) throw new Error('a cursor of the activity was moved by somebody else')
}

/** A rebuild that has come as far as what it replaces counts from now on. What the former build counted is swept. */
async function replaceBuilds(tx: Tx, logs: readonly Realm[]): Promise<void> {
  await tx.rows(sql`
    delete from activity_cursors c
    using activity_cursors r,
      unnest(${logs.map((log) => log.tenantId)}::uuid[], ${logs.map((log) => log.environmentId)}::uuid[])
        as l (tenant_id, environment_id)
    where c.tenant_id = l.tenant_id and c.environment_id = l.environment_id
      and r.tenant_id = l.tenant_id and r.environment_id = l.environment_id
      and r.build > c.build and (r.epoch, r.xid, r.seq) >= (c.epoch, c.xid, c.seq)`)
}
