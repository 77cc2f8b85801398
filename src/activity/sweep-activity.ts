// Removes what is no longer needed of what follows the feed: counts that are too old, those of a build that another has replaced,
// and spans without messages.
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { COUNTS_KEPT_DAYS } from './counted-types.ts'

/** Gives how many counts went. specification.md#retention-times */
export async function sweepCounts(db: Db, limit: number): Promise<number> {
  const rows = await db.rows(sql<{ tenant_id: Uuid }>`
    delete from activity_counts
    where ctid = any (array(
      (
        select a.ctid from activity_counts a
        where a.at < statement_timestamp() - make_interval(days => ${COUNTS_KEPT_DAYS})
        order by a.at limit ${limit}
      )
      union all
      (
        select old.ctid
        from (select c.tenant_id, c.environment_id, min(c.build) as build from activity_cursors c group by 1, 2) c
        cross join lateral (
          select a.ctid from activity_counts a
          where a.tenant_id = c.tenant_id and a.environment_id = c.environment_id and a.build < c.build limit ${limit}
        ) old
        limit ${limit}
      )
      limit ${limit}))
    returning tenant_id`)
  return rows.length
}

/** What is in nobody's transaction any more. */
const QUIET_HOURS = 24

/**
 * Spans whose messages are all gone: a search passes as many as there are messages for, not as there ever were. What lies in
 * the time of one belongs to the span before it, so that the first of an environment stays; and so does the newest.
 * Gives how many went.
 */
export async function sweepSpans(db: Db, limit: number): Promise<number> {
  const rows = await db.rows(sql<{ id: number }>`
    delete from search_spans s
    using (
      select o.tenant_id, o.environment_id, o.begins_at
      from (
        select a.tenant_id, a.environment_id, a.begins_at, a.newest_at, lead(a.begins_at) over (
          partition by a.tenant_id, a.environment_id order by a.begins_at) as ends_at
        from search_spans a
      ) o
      where o.begins_at > '-infinity' and o.ends_at is not null
        and o.newest_at < statement_timestamp() - make_interval(hours => ${QUIET_HOURS})
        and not exists (
          select from messages m
          where m.tenant_id = o.tenant_id and m.environment_id = o.environment_id and m.created_at >= o.begins_at
            and m.created_at < o.ends_at)
      limit ${limit}
    ) empty
    where s.tenant_id = empty.tenant_id and s.environment_id = empty.environment_id and s.begins_at = empty.begins_at
    returning s.id`)
  return rows.length
}

/**
 * The same of the spans of mailboxes. While one is looked through from the newest on, its spans are left alone.
 * Gives how many went.
 */
export async function sweepMailboxSpans(db: Db, limit: number): Promise<number> {
  const rows = await db.rows(sql<{ id: number }>`
    delete from mailbox_spans s
    using (
      select o.tenant_id, o.mailbox_id, o.begins_at
      from (
        select a.tenant_id, a.mailbox_id, a.begins_at, a.newest_at, lead(a.begins_at) over (
          partition by a.tenant_id, a.mailbox_id order by a.begins_at) as ends_at
        from mailbox_spans a
      ) o
      join searched_mailboxes b on b.tenant_id = o.tenant_id and b.mailbox_id = o.mailbox_id and b.is_walked
      where o.begins_at > '-infinity' and o.ends_at is not null
        and o.newest_at < statement_timestamp() - make_interval(hours => ${QUIET_HOURS})
        and not exists (
          select from messages m
          where m.tenant_id = o.tenant_id and m.environment_id = o.tenant_id and m.mailbox_id = o.mailbox_id and m.in_sent
            and m.created_at >= o.begins_at and m.created_at < o.ends_at)
        and not exists (
          select from unnest(array['inbox', 'sent', 'archive', 'spam', 'trash']) as n (folder)
          cross join lateral (
            select from message_entries e
            where e.tenant_id = o.tenant_id and e.environment_id = o.tenant_id and e.mailbox_id = o.mailbox_id
              and e.folder = n.folder and e.created_at >= o.begins_at and e.created_at < o.ends_at limit 1
          ) e)
      limit ${limit}
    ) empty
    where s.tenant_id = empty.tenant_id and s.mailbox_id = empty.mailbox_id and s.begins_at = empty.begins_at
    returning s.id`)
  return rows.length
}
