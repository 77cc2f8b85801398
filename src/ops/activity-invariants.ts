// What must hold of what follows the event feed, as far as it has been followed.
import { COUNTED_TYPES, COUNTS_KEPT_DAYS } from '../activity/counted-types.ts'
import { sql } from '../lib/sql.ts'
import { type Breaches, type Invariant, only } from './invariant.ts'

export const ACTIVITY_INVARIANTS: Invariant[] = [
  [
    'every event that was followed is counted once',
    (db) =>
      only(
        db.first(sql<Breaches>`
          -- Older counts go by and by, and those of the last day before that may have gone.
          with bound as (
            select date_bin('15 minutes', clock_timestamp() - make_interval(days => ${COUNTS_KEPT_DAYS - 1}),
              timestamptz '2000-01-01 00:00Z') as at
          ),
          logged as (
            select c.tenant_id, c.environment_id, c.build, e.type,
              date_bin('15 minutes', e.occurred_at, timestamptz '2000-01-01 00:00Z') as at, count(*) as count
            from activity_cursors c
            join events e on e.tenant_id = c.tenant_id and e.environment_id = c.environment_id
              and (e.epoch, e.xid, e.seq) <= (c.epoch, c.xid, c.seq)
            where e.type = any (${COUNTED_TYPES}) and e.occurred_at >= (select at from bound)
            group by 1, 2, 3, 4, 5
          ),
          counted as (
            select a.tenant_id, a.environment_id, a.build, a.type, a.at, a.count
            from activity_counts a
            join activity_cursors c on c.tenant_id = a.tenant_id and c.environment_id = a.environment_id and c.build = a.build
            where a.subject_id = a.environment_id and a.at >= (select at from bound)
          )
          select count(*) as count, (array_agg(environment_id::text))[1:3] as examples
          from logged l full join counted a using (tenant_id, environment_id, build, type, at)
          where l.count is distinct from a.count`),
      ),
  ],
  [
    'every cursor of the activity has as many events behind it as it says',
    (db) =>
      only(
        db.first(sql<Breaches>`
          select count(*) as count, (array_agg(c.environment_id::text))[1:3] as examples
          from activity_cursors c
          where c.followed <> (
            select count(*) from events e
            where e.tenant_id = c.tenant_id and e.environment_id = c.environment_id
              and (e.epoch, e.xid, e.seq) <= (c.epoch, c.xid, c.seq))`),
      ),
  ],
  [
    'every message that was followed is counted once in each mailbox that has it, and none in any other',
    (db) =>
      only(
        db.first(sql<Breaches>`
          select count(*) as count, (array_agg(x.id::text))[1:3] as examples
          from (
            select h.id
            from activity_cursors c
            join events v on v.tenant_id = c.tenant_id and v.environment_id = c.environment_id
              and v.type in ('message.received', 'message.queued', 'message.sent', 'message.failed')
              and (v.epoch, v.xid, v.seq) <= (c.epoch, c.xid, c.seq)
            cross join lateral (
              select m.id, e.mailbox_id, coalesce(m.size_bytes, s.size_bytes) as size_bytes
              from messages m
              join lateral (
                select e.mailbox_id from message_entries e where e.tenant_id = m.tenant_id and e.message_id = m.id
                union all
                select m.mailbox_id where m.in_sent
              ) e on true
              left join message_states s on s.tenant_id = m.tenant_id and s.message_id = m.id
              where m.tenant_id = v.tenant_id and m.environment_id = v.environment_id and m.id = v.resource_id
                and m.gone is null
              offset 0
            ) h
            left join mailbox_messages n on n.tenant_id = v.tenant_id and n.message_id = h.id and n.mailbox_id = h.mailbox_id
            where (n.message_id is null or (v.type <> 'message.queued' and n.size_bytes <> coalesce(h.size_bytes, 0)))
              -- While a rebuild is under way, what was written before there was anything to count is not counted yet.
              and not exists (
                select from activity_cursors b
                where b.tenant_id = c.tenant_id and b.environment_id = c.environment_id and b.build <> c.build)
            union all
            select n.message_id
            from mailbox_messages n
            left join messages m on m.tenant_id = n.tenant_id and m.id = n.message_id and m.gone is null
            left join message_entries e on e.tenant_id = n.tenant_id and e.message_id = n.message_id
              and e.mailbox_id = n.mailbox_id
            where m.id is null or (e.message_id is null and not (m.in_sent and m.mailbox_id = n.mailbox_id))
          ) x`),
      ),
  ],
  [
    'where a log was followed to its end, each message is counted in the folder in which it lies, and as it is marked there',
    (db) =>
      only(
        db.first(sql<Breaches>`
          with current as (
            select c.tenant_id, c.environment_id from activity_cursors c
            where not exists (
                select from events v
                where v.tenant_id = c.tenant_id and v.environment_id = c.environment_id
                  and (v.epoch, v.xid, v.seq) > (c.epoch, c.xid, c.seq))
              and not exists (
                select from activity_cursors b
                where b.tenant_id = c.tenant_id and b.environment_id = c.environment_id and b.build <> c.build)
          )
          select count(*) as count, (array_agg(n.message_id::text))[1:3] as examples
          from current c
          join mailbox_messages n on n.tenant_id = c.tenant_id and n.environment_id = c.environment_id
          join messages m on m.tenant_id = n.tenant_id and m.id = n.message_id
          left join message_entries e on e.tenant_id = n.tenant_id and e.message_id = n.message_id
            and e.mailbox_id = n.mailbox_id
          where (n.folder, n.is_unread) is distinct from (
            case when m.in_sent and m.mailbox_id = n.mailbox_id then 'sent' else e.folder end,
            not (m.in_sent and m.mailbox_id = n.mailbox_id) and not e.is_read)`),
      ),
  ],
  [
    'what a folder has is the sum of what is counted of its messages',
    (db) =>
      only(
        db.first(sql<Breaches>`
          select count(*) as count, (array_agg(mailbox_id || ' ' || folder))[1:3] as examples
          from (
            select tenant_id, environment_id, mailbox_id, folder, sum(messages) as messages, sum(size_bytes) as size_bytes,
              sum(unread) as unread
            from mailbox_amounts group by 1, 2, 3, 4
          ) a
          full join (
            select tenant_id, environment_id, mailbox_id, folder, count(*) as messages, sum(size_bytes) as size_bytes,
              count(*) filter (where is_unread) as unread
            from mailbox_messages group by 1, 2, 3, 4
          ) n using (tenant_id, environment_id, mailbox_id, folder)
          where coalesce(a.messages, 0) <> coalesce(n.messages, 0) or coalesce(a.size_bytes, 0) <> coalesce(n.size_bytes, 0)
            or coalesce(a.unread, 0) <> coalesce(n.unread, 0)`),
      ),
  ],
  [
    'every message that was followed can be found, in the span of its time, and none that has been removed',
    (db) =>
      only(
        db.first(sql<Breaches>`
          select count(*) as count, (array_agg(x.id::text))[1:3] as examples
          from (
            select m.id
            from activity_cursors c
            join events e on e.tenant_id = c.tenant_id and e.environment_id = c.environment_id
              and e.type in ('message.queued', 'message.received') and (e.epoch, e.xid, e.seq) <= (c.epoch, c.xid, c.seq)
            join messages m on m.tenant_id = e.tenant_id and m.environment_id = e.environment_id and m.id = e.resource_id
            where not exists (select from message_search f where f.tenant_id = m.tenant_id and f.message_id = m.id)
            union all
            select f.message_id
            from message_search f
            where not exists (select from messages m where m.tenant_id = f.tenant_id and m.id = f.message_id)
              or exists (
                select from unnest(tsvector_to_array(f.words)) as w (word)
                where split_part(w.word, '/', 1) is distinct from (
                  select to_hex(s.id) from search_spans s
                  where s.tenant_id = f.tenant_id and s.environment_id = f.environment_id and s.begins_at <= f.created_at
                  order by s.begins_at desc limit 1))
          ) x`),
      ),
  ],
  [
    'every message of a mailbox that somebody reads is found there by words, in the span of its time, and none that it has no more',
    (db) =>
      only(
        db.first(sql<Breaches>`
          select count(*) as count, (array_agg(x.id::text))[1:3] as examples
          from (
            select m.id
            from searched_mailboxes s
            join activity_cursors c on c.tenant_id = s.tenant_id and c.environment_id = s.tenant_id
            join events v on v.tenant_id = c.tenant_id and v.environment_id = c.environment_id
              and v.type in ('message.queued', 'message.received') and (v.epoch, v.xid, v.seq) <= (c.epoch, c.xid, c.seq)
            join messages m on m.id = v.resource_id and m.tenant_id = v.tenant_id and m.environment_id = v.tenant_id and m.gone is null
            left join message_entries e on e.tenant_id = m.tenant_id and e.message_id = m.id and e.mailbox_id = s.mailbox_id
            left join mailbox_search f on f.tenant_id = m.tenant_id and f.message_id = m.id and f.mailbox_id = s.mailbox_id
            where s.is_walked and f.message_id is null
              and (e.message_id is not null or m.in_sent and m.mailbox_id = s.mailbox_id)
            union all
            select f.message_id
            from mailbox_search f
            left join messages m on m.id = f.message_id and m.tenant_id = f.tenant_id and m.gone is null
            left join message_entries e
              on e.tenant_id = f.tenant_id and e.message_id = f.message_id and e.mailbox_id = f.mailbox_id
            where m.id is null or not (e.message_id is not null or m.in_sent and m.mailbox_id = f.mailbox_id)
              or exists (
                select from unnest(tsvector_to_array(f.words)) as w (word)
                where split_part(w.word, '/', 1) is distinct from (
                  select to_hex(s.id) from mailbox_spans s
                  where s.tenant_id = f.tenant_id and s.mailbox_id = f.mailbox_id and s.begins_at <= f.created_at
                  order by s.begins_at desc limit 1))
          ) x`),
      ),
  ],
  [
    'every mailbox keeps as many people as it says, and each is found by its words',
    (db) =>
      only(
        db.first(sql<Breaches>`
          select count(*) as count, (array_agg(x.mailbox_id::text))[1:3] as examples
          from (
            select s.mailbox_id
            from searched_mailboxes s
            left join (select c.tenant_id, c.mailbox_id, count(*) as count from correspondents c group by 1, 2) k
              on k.tenant_id = s.tenant_id and k.mailbox_id = s.mailbox_id
            where s.correspondents <> coalesce(k.count, 0)
            union all
            select coalesce(f.mailbox_id, w.mailbox_id)
            from (
              select c.tenant_id, c.mailbox_id, c.key, t.word
              from correspondents c cross join lateral string_to_table(trim(c.found_by), ' ') as t (word)
            ) f
            full join correspondent_words w
              on w.tenant_id = f.tenant_id and w.mailbox_id = f.mailbox_id and w.key = f.key and w.word = f.word
            where f.key is null or w.key is null
          ) x`),
      ),
  ],
]
