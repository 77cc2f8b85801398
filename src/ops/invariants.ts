// What must hold over the whole database, whatever has been killed: looked at row by row, in statements that
// each see one moment. Changes nothing. May run beside a service at work: what is on its way at that moment is whole.
import { BEGINNING } from '../events/cursor.ts'
import { readFeed } from '../events/feed.ts'
import type { ObjectStore } from '../lib/object-store.ts'
import { type Db, sql } from '../lib/sql.ts'
import { ACTIVITY_INVARIANTS } from './activity-invariants.ts'
import type { Check } from './check.ts'
import { CONVERSATION_INVARIANTS } from './conversation-invariants.ts'
import { type Breaches, type Invariant, only } from './invariant.ts'
import { heldObjects, type NamedObject, namedObjects } from './stored-objects.ts'
import { SUPPRESSION_INVARIANTS } from './suppression-invariants.ts'
import { USER_INVARIANTS } from './user-invariants.ts'

/** One check for each invariant. */
export async function checkInvariants(db: Db, store: ObjectStore): Promise<Check[]> {
  const checks: Check[] = []
  for (const [name, look] of ALL_INVARIANTS) checks.push(checkOf(name, await look(db)))
  checks.push(checkOf('every stored message has its bytes', await withoutBytes(db, store, 'message'), DISAGREE))
  checks.push(checkOf('every attachment has its bytes', await withoutBytes(db, store, 'attachment'), DISAGREE))
  checks.push(checkOf('every object is named', await withoutName(db, store), DISAGREE))
  checks.push(checkOf('the feed gives every event once', await feedFaults(db)))
  return checks
}

const DISAGREE = 'after a restore, `mdk objects repair` ends both; otherwise report it with the log of the time'

function checkOf(name: string, { count, examples }: Breaches, repair = 'report it with the log of the time'): Check {
  if (count === 0) return { name, result: 'ok', found: 'holds' }
  const found = `${count} at fault, such as ${(examples ?? []).join(', ')}`
  return { name, result: 'fail', found, repair }
}

const INVARIANTS: Invariant[] = [
  [
    'every message on its way has its job',
    (db) =>
      only(
        db.first(sql<Breaches>`
          select count(*) as count, (array_agg(m.id::text))[1:3] as examples
          from messages m join message_states s on s.tenant_id = m.tenant_id and s.message_id = m.id
          where m.gone is null and s.open > 0
            and not exists (
              select from jobs j where j.tenant_id = m.tenant_id and j.queue = 'outbound' and j.subject_id = m.id)`),
      ),
  ],
  [
    'every job has its subject',
    (db) =>
      only(
        db.first(sql<Breaches>`
          select count(*) as count, (array_agg(j.id::text))[1:3] as examples
          from jobs j
          where (j.queue = 'outbound' and not exists (
              select from messages m where m.tenant_id = j.tenant_id and m.id = j.subject_id))
            or (j.queue = 'webhooks' and not exists (
              select from webhook_deliveries d where d.tenant_id = j.tenant_id and d.id = j.subject_id)
              and exists (select from webhook_endpoints w where w.id = j.lane and w.deleted_at is null))
            or (j.queue = 'webhook_replays' and not exists (
              select from webhook_replays r where r.tenant_id = j.tenant_id and r.id = j.subject_id))`),
      ),
  ],
  [
    'every pending delivery has its job',
    (db) =>
      only(
        db.first(sql<Breaches>`
          select count(*) as count, (array_agg(d.id::text))[1:3] as examples
          from webhook_deliveries d
          join webhook_endpoints w on w.tenant_id = d.tenant_id and w.id = d.endpoint_id
            and w.deleted_at is null
          where d.status = 'pending' and not exists (
            select from jobs j where j.tenant_id = d.tenant_id and j.queue = 'webhooks' and j.subject_id = d.id)`),
      ),
  ],
  [
    'every running replay has its job',
    (db) =>
      only(
        db.first(sql<Breaches>`
          select count(*) as count, (array_agg(r.id::text))[1:3] as examples
          from webhook_replays r
          where r.status = 'running' and not exists (
            select from jobs j
            where j.tenant_id = r.tenant_id and j.queue = 'webhook_replays' and j.subject_id = r.id)`),
      ),
  ],
  [
    'every notice that waits has its job',
    (db) =>
      only(
        db.first(sql<Breaches>`
          select count(*) as count, (array_agg(n.id::text))[1:3] as examples
          from notices n
          where n.status = 'waiting' and not exists (
            select from jobs j where j.tenant_id = n.tenant_id and j.queue = 'notices' and j.subject_id = n.id)`),
      ),
  ],
  [
    'every held job is looked for again',
    (db) =>
      only(
        db.first(sql<Breaches>`
          select count(*) as count, (array_agg(j.id::text))[1:3] as examples
          from jobs j
          where j.state = 'held' and not exists (
            select from held_lanes h
            where h.tenant_id = j.tenant_id and h.queue = j.queue and h.lane = j.lane and h.release_at is not null)`),
      ),
  ],
  [
    'no endpoint has two deliveries of one event',
    (db) =>
      only(
        db.first(sql<Breaches>`
          select count(*) as count, (array_agg(twice.event_id::text))[1:3] as examples
          from (
            select d.event_id from webhook_deliveries d group by d.tenant_id, d.endpoint_id, d.event_id having count(*) > 1
          ) twice`),
      ),
  ],
  [
    'every event has a delivery for each endpoint that hears it',
    (db) =>
      only(
        db.first(sql<Breaches>`
          select count(*) as count, (array_agg(e.id::text))[1:3] as examples
          from webhook_endpoints w
          join events e on e.tenant_id = w.tenant_id and e.environment_id = w.environment_id
          -- Subscriptions change: those to everything are the ones that must have heard everything.
          where w.deleted_at is null and w.event_types = '{*}' and e.occurred_at > w.created_at + interval '1 minute'
            and e.occurred_at > clock_timestamp() - interval '29 days'
            and not exists (
              select from webhook_deliveries d
              where d.tenant_id = w.tenant_id and d.endpoint_id = w.id and d.event_id = e.id)`),
      ),
  ],
  [
    'every message has its events, first that it was queued or received',
    (db) =>
      only(
        db.first(sql<Breaches>`
          -- Once through all events: none are found by their message.
          with told as (
            select e.tenant_id, e.environment_id, e.resource_id,
              array_agg(e.type order by e.epoch, e.xid, e.seq) as types
            from events e where e.resource_type = 'message'
            group by e.tenant_id, e.environment_id, e.resource_id
          )
          select count(*) as count, (array_agg(m.id::text))[1:3] as examples
          from messages m
          left join message_states s on s.tenant_id = m.tenant_id and s.message_id = m.id
          left join told on told.tenant_id = m.tenant_id and told.environment_id = m.environment_id
            and told.resource_id = m.id
          where m.gone is null and (
            told.types is null
            or told.types[1] <> case m.direction when 'inbound' then 'message.received' else 'message.queued' end
            or (s.sent_at is not null and not 'message.sent' = any (told.types))
            or (s.status in ('delivered', 'bounced', 'failed') and not 'message.' || s.status = any (told.types)))`),
      ),
  ],
  [
    'every message is in a mailbox, and what is gone is held',
    (db) =>
      only(
        db.first(sql<Breaches>`
          select count(*) as count, (array_agg(m.id::text))[1:3] as examples
          from messages m
          where (m.gone is not null and not m.held)
            or (m.gone is null and not m.in_sent and not exists (
              select from message_entries e where e.tenant_id = m.tenant_id and e.message_id = m.id))`),
      ),
  ],
  [
    'every sent message has its state, which counts the recipients that are open',
    (db) =>
      only(
        db.first(sql<Breaches>`
          select count(*) as count, (array_agg(m.id::text))[1:3] as examples
          from messages m left join message_states s on s.tenant_id = m.tenant_id and s.message_id = m.id
          where (m.direction = 'outbound') <> (s.message_id is not null)
            or s.open <> (
              select count(*) from json_to_recordset(s.recipients) as r (status text) where r.status = 'queued')`),
      ),
  ],
  [
    'no entry is both implied and written',
    (db) =>
      only(
        db.first(sql<Breaches>`
          select count(*) as count, (array_agg(m.id::text))[1:3] as examples
          from messages m
          join message_entries e on e.tenant_id = m.tenant_id and e.message_id = m.id and e.mailbox_id = m.mailbox_id
          where m.in_sent`),
      ),
  ],
  [
    'every message has its attachments',
    (db) =>
      only(
        db.first(sql<Breaches>`
          select count(*) as count, (array_agg(m.id::text))[1:3] as examples
          from messages m
          where m.attachment_count <> (
            select count(*) from message_attachments h where h.tenant_id = m.tenant_id and h.message_id = m.id)`),
      ),
  ],
  [
    'nothing crosses tenants',
    (db) =>
      only(
        db.first(sql<Breaches>`
          select count(*) as count, (array_agg(x.id::text))[1:3] as examples
          from (
            select e.message_id as id from message_entries e
            where not exists (select from mailboxes b where b.tenant_id = e.tenant_id and b.id = e.mailbox_id)
              or not exists (select from messages m where m.tenant_id = e.tenant_id and m.id = e.message_id)
            union all
            select s.message_id from message_states s
            where not exists (select from messages m where m.tenant_id = s.tenant_id and m.id = s.message_id)
            union all
            select t.message_id from submission_tries t
            where not exists (select from messages m where m.tenant_id = t.tenant_id and m.id = t.message_id)
            union all
            select h.message_id from message_attachments h
            where not exists (select from attachments a where a.tenant_id = h.tenant_id and a.id = h.attachment_id)
            union all
            select d.id from webhook_deliveries d
            where not exists (select from webhook_endpoints w where w.tenant_id = d.tenant_id and w.id = d.endpoint_id)
            union all
            select a.delivery_id from webhook_attempts a
            where not exists (select from webhook_deliveries d where d.tenant_id = a.tenant_id and d.id = a.delivery_id)
            union all
            select m.id from messages m
            where m.environment_id <> m.tenant_id
              and not exists (select from apps a where a.tenant_id = m.tenant_id and a.id = m.environment_id)
          ) x`),
      ),
  ],
  [
    'stored bytes are counted right',
    (db) =>
      only(
        db.first(sql<Breaches>`
          select count(*) as count, (array_agg(t.id::text))[1:3] as examples
          from tenants t
          left join tenant_storage s on s.tenant_id = t.id
          where coalesce(s.stored_bytes, 0) <>
            coalesce((select sum(m.size_bytes) from messages m where m.tenant_id = t.id), 0)
            + coalesce((select sum(s.size_bytes) from message_states s where s.tenant_id = t.id), 0)
            + coalesce((select sum(a.size_bytes) from attachments a where a.tenant_id = t.id), 0)`),
      ),
  ],
]

const PAGE = 1_000

async function withoutBytes(db: Db, store: ObjectStore, kind: NamedObject['kind']): Promise<Breaches> {
  const examples: string[] = []
  let count = 0
  for await (const { missing } of namedObjects(db, store, kind, { sizes: true })) {
    count += missing.length
    examples.push(...missing.slice(0, 3 - examples.length).map(({ id }) => id))
  }
  return { count, examples }
}

async function withoutName(db: Db, store: ObjectStore): Promise<Breaches> {
  const examples: string[] = []
  let count = 0
  for await (const { unnamed } of heldObjects(db, store)) {
    count += unnamed.length
    examples.push(...unnamed.slice(0, 3 - examples.length))
  }
  return { count, examples }
}

/** Read from the start, as a consumer would. */
async function feedFaults(db: Db): Promise<Breaches> {
  const scopes = await db.rows(sql<{ tenantId: string; environmentId: string; events: number }>`
    select e.tenant_id as "tenantId", e.environment_id as "environmentId", count(*) as events
    from events e
    where (e.epoch, e.xid) < ((select epoch from feed_epoch), pg_snapshot_xmin(pg_current_snapshot()))
    group by e.tenant_id, e.environment_id`)
  const examples: string[] = []
  let count = 0
  for (const scope of scopes) {
    const seen = new Set<string>()
    let read = 0
    let place = BEGINNING
    for (let more = true; more; ) {
      const page = await readFeed(db, scope, place, PAGE)
      for (const event of page.items) seen.add(event.id)
      read += page.items.length
      place = page.position
      more = page.more
    }
    if (seen.size === read && read >= scope.events) continue
    count++
    if (examples.length < 3) examples.push(scope.environmentId)
  }
  return { count, examples }
}

const ALL_INVARIANTS: Invariant[] = [
  ...INVARIANTS,
  ...USER_INVARIANTS,
  ...ACTIVITY_INVARIANTS,
  ...SUPPRESSION_INVARIANTS,
  ...CONVERSATION_INVARIANTS,
]
