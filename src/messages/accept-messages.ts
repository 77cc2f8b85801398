// Writes accepted sends: one durable statement for a whole group of requests of any tenants (ADR 4).
// Whatever it answers `accepted` to is committed: message, state, event, job, idempotency record and the month's usage, or
// none of them. The event says who sent, and the message that its sender has it in `sent` (ADR 32).
import { EVENTS_TOPIC } from '../events/append.ts'
import { arrayLiteral, type Db, type Signals, sql, type Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { SUPPRESSED } from '../suppressions/suppressed.ts'
import type { StoredRecipient } from './recipients.ts'
import type { Address } from './schemas.ts'

/** What the queue of messages to submit is called. Its lanes are tenants, its subjects messages. */
export const OUTBOUND_QUEUE = 'outbound'

/** One request to send, as the statement reads it. */
export interface SendRow {
  tenant_id: Uuid
  app_id: Uuid
  key_id: Uuid
  environment_id: Uuid
  /** True in a sandbox. */
  demo: boolean
  idempotency_key: string
  /** SHA-256 of the canonical request, hex. */
  request_hash: string
  message_id: Uuid
  event_id: Uuid
  mailbox_id: Uuid
  to_addresses: Address[]
  cc_addresses: Address[]
  bcc_addresses: Address[]
  /** Each address once, in the order of first mention. */
  recipients: StoredRecipient[]
  /** By which each is looked up among the addresses that get no mail; null where it is the address in small letters of ASCII. */
  keys: string[] | null
  subject: string
  text: string | null
  html: string | null
  preview: string
  /** In their order, with the part of the message each will be. */
  attachments: { id: Uuid; part_id: string }[]
  /** Why it is refused whatever else holds, unless its key has been answered already. */
  refusal: 'no_attachment' | 'too_large' | null
  /** When it was created, in microseconds of this process's monotonic clock (`nextInstant`). */
  created_micros: number
  client_address: string
  user_agent: string | null
  request_id: string
}

/** What became of one request to send, in the columns of the statement that say it. */
export type SendOutcome =
  | {
      outcome: 'accepted' | 'conflict' | 'pending' | 'no_mailbox' | 'mailbox_suspended' | 'no_attachment' | 'too_large'
    }
  | { outcome: 'replay'; prior_id: Uuid }
  | { outcome: 'over_capacity'; capacity: number; used: number; resets_at: Timestamp }
  | { outcome: 'over_storage'; stored_limit: number; stored: number }

type Row = SendOutcome | { outcome: 'again' } | { outcome: 'no_usage_row' }

/** Rounds a request may lose before its turn is called a fault; each round settles the first of every tenant. */
const MOST_ROUNDS = 300

/**
 * Writes the group. Outcomes stand in the order of `rows`.
 *
 * A row the statement could not judge yet goes round again: the second use of a key within the group, a key that
 * another process wrote while the statement ran, a row that only fits the plan if one before it does not, a month
 * without its usage row.
 */
export async function acceptMessages(
  database: Db & Signals,
  rows: readonly SendRow[],
  idempotencyTtlSeconds: number,
): Promise<SendOutcome[]> {
  const outcomes = new Array<SendOutcome>(rows.length)
  let open = rows.map((_, i) => i)
  for (let round = 0; open.length > 0; round++) {
    if (round === MOST_ROUNDS) throw new Error('a group of sends does not come to an end')
    const answers = await acceptOnce(
      database,
      open.map((i) => rows[i] as SendRow),
      idempotencyTtlSeconds,
    )
    const again: number[] = []
    let usageRowMissing = false
    open.forEach((i, n) => {
      const answer = answers[n] as Row
      if (answer.outcome === 'again' || answer.outcome === 'no_usage_row') again.push(i)
      else outcomes[i] = answer
      usageRowMissing ||= answer.outcome === 'no_usage_row'
    })
    if (answers.some(({ outcome }) => outcome === 'accepted')) {
      database.signal(OUTBOUND_QUEUE)
      database.signal(EVENTS_TOPIC)
    }
    if (usageRowMissing) await openUsage(database, [...new Set(again.map((i) => (rows[i] as SendRow).tenant_id))])
    open = again
  }
  return outcomes
}

async function openUsage(db: Db, tenants: Uuid[]): Promise<void> {
  await db.rows(sql`
    insert into tenant_usage (tenant_id, month)
    select tenant_id, date_trunc('month', clock_timestamp() at time zone 'UTC')::date
    from unnest(${tenants.sort()}::uuid[]) as t (tenant_id)
    on conflict do nothing`)
}

// How it reads, from top to bottom: take the tenants' turns (their usage rows, locked in order, so that two groups
// that share tenants wait for each other and never in a circle) and the attachments; judge each request; reserve the
// keys of those that fit; write everything for those whose key was reserved, but no job for a message that nobody gets.
// `limit 1` keeps look-ups by index whatever the planner believes of a young table.
function acceptOnce(db: Db, rows: SendRow[], idempotencyTtlSeconds: number): Promise<Row[]> {
  const nowMicros = Math.floor(performance.now() * 1000)
  const sinceNow = arrayLiteral(rows.map((row) => row.created_micros - nowMicros))
  return db.rows(sql<Row>`
    with moment as materialized (
      select at, date_trunc('month', at at time zone 'UTC')::date as month from (select clock_timestamp() as at) as t
    ),
    input as materialized (
      select r.*, json_array_length(r.recipients) as recipient_count, json_array_length(r.attachments) as attachment_count
      from rows from (json_to_recordset(${JSON.stringify(rows)}::json) as (
        tenant_id uuid, app_id uuid, key_id uuid, environment_id uuid, demo boolean, idempotency_key text,
        request_hash text, message_id uuid, event_id uuid, mailbox_id uuid, to_addresses json, cc_addresses json,
        bcc_addresses json, recipients json, keys json, subject text, text text, html text, preview text, attachments json,
        refusal text, client_address text, user_agent text, request_id uuid),
        unnest(${sinceNow}::bigint[])) with ordinality as r (
        tenant_id, app_id, key_id, environment_id, demo, idempotency_key, request_hash, message_id, event_id,
        mailbox_id, to_addresses, cc_addresses, bcc_addresses, recipients, keys, subject, text, html, preview,
        attachments, refused, client_address, user_agent, request_id, since_now, n)
    ),
    turn as materialized (
      select u.tenant_id, u.recipients as used, t.suppressions > 0 as suppresses, p.messages_per_month as capacity,
        p.stored_mib::bigint * 1048576 as stored_limit,
        case when p.stored_mib > 0 then coalesce((
          select s.stored_bytes from tenant_storage s where s.tenant_id = u.tenant_id), 0) end as stored
      from tenant_usage u
      join tenants t on t.id = u.tenant_id
      join plans p on p.name = t.plan
      where u.tenant_id in (select i.tenant_id from input i) and u.month = (select month from moment)
      order by u.tenant_id
      for update of u
    ),
    -- Locked before they are judged, in an order that all keep: none is removed while a message takes it.
    taken as materialized (
      select x.tenant_id, x.environment_id, x.id
      from (
        select distinct i.tenant_id, h.id
        from input i cross join lateral json_to_recordset(i.attachments) as h (id uuid)
        where i.attachment_count > 0
        order by i.tenant_id, h.id
      ) wanted
      cross join lateral (
        select a.tenant_id, a.environment_id, a.id from attachments a
        where a.tenant_id = wanted.tenant_id and a.id = wanted.id limit 1 for key share
      ) x
    ),
    judged as materialized (
      select i.n, i.tenant_id, i.app_id, i.idempotency_key, i.request_hash, i.message_id, i.recipient_count,
        t.used, t.capacity, t.stored, t.stored_limit, m.address as from_address, m.display_name as from_name, k.resource_id as prior_id,
        case
          when k.request_hash is not null then case
            when k.operation <> 'sendMessage' or k.request_hash <> decode(i.request_hash, 'hex') then 'conflict'
            when k.status_code is null then 'pending'
            when k.resource_id = i.message_id then 'accepted'
            else 'replay' end
          when row_number() over (partition by i.app_id, i.idempotency_key order by i.n) > 1 then 'again'
          when m.status is null then 'no_mailbox'
          when m.status = 'suspended' then 'mailbox_suspended'
          when i.refused is not null then i.refused
          when i.attachment_count > 0 and i.attachment_count > (
            select count(*) from json_to_recordset(i.attachments) as h (id uuid)
            join taken x on x.tenant_id = i.tenant_id and x.id = h.id and x.environment_id = i.environment_id
          ) then 'no_attachment'
          when t.used is null then 'no_usage_row'
          when t.capacity > 0 and t.used + i.recipient_count > t.capacity then 'over_capacity'
          when t.stored_limit > 0 and t.stored >= t.stored_limit then 'over_storage'
        end as refusal
      from input i
      left join turn t on t.tenant_id = i.tenant_id
      left join lateral (
        select b.address, b.display_name, b.status from mailboxes b
        where b.tenant_id = i.tenant_id and b.id = i.mailbox_id limit 1
      ) m on true
      left join lateral (
        select r.operation, r.request_hash, r.status_code, r.resource_id from idempotency_keys r
        where r.tenant_id = i.tenant_id and r.author_id = i.app_id and r.key = i.idempotency_key
          and r.expires_at > (select at from moment)
        limit 1
      ) k on true
    ),
    fitting as (
      select f.* from (
        select j.*, j.capacity = 0 or j.used + sum(j.recipient_count) over (
          partition by j.tenant_id order by j.n rows unbounded preceding) <= j.capacity as fits
        from judged j where j.refusal is null
      ) f where f.fits
    ),
    reserved as (
      insert into idempotency_keys as k (tenant_id, author_id, key, operation, target, request_hash, status_code,
        resource_id, response, reserved_at, expires_at)
      select f.tenant_id, f.app_id, f.idempotency_key, 'sendMessage', '', decode(f.request_hash, 'hex'), 202,
        f.message_id, null, o.at,
        o.at + make_interval(secs => ${idempotencyTtlSeconds})
      from fitting f cross join moment o
      order by f.tenant_id, f.app_id, f.idempotency_key
      on conflict (author_id, key) do update set operation = excluded.operation, target = excluded.target,
        request_hash = excluded.request_hash, status_code = excluded.status_code, resource_id = excluded.resource_id,
        response = excluded.response, reserved_at = excluded.reserved_at, expires_at = excluded.expires_at
      where k.expires_at <= excluded.reserved_at
      returning k.resource_id as message_id
    ),
    -- Who gets no mail, of the recipients of a tenant that has stopped somebody. Of any other nobody is looked up.
    suppressed as materialized (
      select i.n, h.place, h.recipient ->> 'address' as address
      from (
        select i.n, i.tenant_id, i.environment_id, i.recipients, i.keys
        from turn t join input i on i.tenant_id = t.tenant_id where t.suppresses offset 0
      ) i
      cross join lateral json_array_elements(i.recipients) with ordinality as h (recipient, place)
      cross join lateral (
        select from suppressions s
        where s.tenant_id = i.tenant_id and s.environment_id = i.environment_id
          and s.address = coalesce(i.keys ->> (h.place - 1)::integer, lower(h.recipient ->> 'address' collate "C")) limit 1
      ) s
    ),
    -- Their messages, with the recipients as they are then.
    stopped as materialized (
      select i.n, count(s.place)::integer as recipient_count, json_agg(case when s.place is null then h.recipient
        else (h.recipient::jsonb || jsonb_build_object('status', 'failed', 'diagnostic', ${SUPPRESSED}::text))::json end
        order by h.place) as recipients
      from (select i.n, i.recipients from input i where i.n in (select s.n from suppressed s) offset 0) i
      cross join lateral json_array_elements(i.recipients) with ordinality as h (recipient, place)
      left join suppressed s on s.n = i.n and s.place = h.place
      group by i.n
    ),
    accepted as materialized (
      select i.*, i.recipient_count - coalesce(s.recipient_count, 0) as open,
        coalesce(s.recipients, i.recipients) as recipients_now, j.from_address, j.from_name,
        o.at + i.since_now * interval '1 microsecond' as created_at, o.at + i.n * interval '1 microsecond' as accepted_at,
        '<' || i.message_id || '@' || split_part(j.from_address, '@', 2) || '>' as message_id_header
      from judged j
      join reserved r on r.message_id = j.message_id
      join input i on i.n = j.n
      left join stopped s on s.n = j.n
      cross join moment o
    ),
    message as (
      insert into messages (tenant_id, id, environment_id, created_at, direction, mailbox_id, app_id, from_address,
        from_name, to_addresses, cc_addresses, bcc_addresses, subject, preview, attachment_count, in_sent, text, html)
      select a.tenant_id, a.message_id, a.environment_id, a.created_at, 'outbound', a.mailbox_id, a.app_id,
        a.from_address, a.from_name, a.to_addresses, a.cc_addresses, a.bcc_addresses, a.subject, a.preview,
        a.attachment_count, true, a.text, a.html
      from accepted a order by a.n
      returning id, seq
    ),
    state as (
      insert into message_states (tenant_id, message_id, status, open, recipients)
      select a.tenant_id, a.message_id, 'queued', a.open, a.recipients_now from accepted a where a.open > 0 order by a.n
    ),
    -- Of a message that nobody gets.
    state_failed as (
      insert into message_states (tenant_id, message_id, status, open, recipients, failed_environment_id, failed_created_at,
        failed_seq)
      select a.tenant_id, a.message_id, 'failed', 0, a.recipients_now, a.environment_id, a.created_at, m.seq
      from accepted a join message m on m.id = a.message_id where a.open = 0 order by a.n
    ),
    attachment as (
      insert into message_attachments (tenant_id, message_id, position, attachment_id, part_id)
      select a.tenant_id, a.message_id, (h.n - 1)::smallint, t.id, h.attachment ->> 'part_id'
      from accepted a
      cross join lateral json_array_elements(a.attachments) with ordinality as h (attachment, n)
      join taken t on t.tenant_id = a.tenant_id and t.id = (h.attachment ->> 'id')::uuid
      where a.attachment_count > 0
    ),
    event as (
      insert into events (tenant_id, environment_id, epoch, id, type, resource_type, resource_id, data, occurred_at, app_id,
        key_id, request_id, client_address, user_agent)
      select e.tenant_id, e.environment_id, (select epoch from feed_epoch), e.id, e.type, 'message', e.message_id, e.data,
        e.accepted_at, e.app_id, e.key_id, e.request_id, e.client_address, e.user_agent
      from (
        select a.n, 0::bigint as place, a.tenant_id, a.environment_id, a.event_id as id, 'message.queued' as type, a.message_id,
          case when a.demo then json_build_object('mailboxId', a.mailbox_id, 'direction', 'outbound',
            'messageId', a.message_id_header, 'subject', a.subject,
            'from', json_build_object('address', a.from_address, 'name', a.from_name), 'to', a.to_addresses,
            'status', 'queued', 'demo', true)
          else json_build_object('mailboxId', a.mailbox_id, 'direction', 'outbound',
            'messageId', a.message_id_header, 'subject', a.subject,
            'from', json_build_object('address', a.from_address, 'name', a.from_name), 'to', a.to_addresses,
            'status', 'queued') end as data,
          a.accepted_at, a.app_id, a.key_id, a.request_id, a.client_address, a.user_agent
        from accepted a
        union all
        -- The last of a message that nobody gets says that it has failed.
        select a.n, s.place, a.tenant_id, a.environment_id, new_uuid(a.accepted_at), 'message.failed', a.message_id,
          (jsonb_build_object('mailboxId', a.mailbox_id, 'direction', 'outbound', 'messageId', a.message_id_header,
            'subject', a.subject, 'from', jsonb_build_object('address', a.from_address, 'name', a.from_name),
            'to', a.to_addresses, 'status', case when s.place = a.recipient_count and a.open = 0 then 'failed' else 'queued' end,
            'recipient', s.address, 'smtpCode', null, 'enhancedCode', null, 'diagnostic', ${SUPPRESSED}::text)
            || case when a.demo then '{"demo": true}' else '{}' end::jsonb)::json,
          a.accepted_at, null, null, null, null, null
        from suppressed s join accepted a on a.n = s.n
      ) e
      order by e.n, e.place
    ),
    job as (
      insert into jobs (tenant_id, queue, lane, subject_id)
      select a.tenant_id, 'outbound', a.tenant_id, a.message_id from accepted a where a.open > 0 order by a.n
    ),
    used as (
      update tenant_usage u set recipients = u.recipients + s.recipients
      from (select a.tenant_id, sum(a.recipient_count) as recipients from accepted a group by a.tenant_id) s
      where u.tenant_id = s.tenant_id and u.month = (select month from moment)
    )
    select case when a.message_id is not null then 'accepted' else coalesce(j.refusal, 'again') end as outcome,
      j.prior_id, j.capacity, j.used, j.stored, j.stored_limit, (select month + interval '1 month' from moment) at time zone 'UTC' as resets_at
    from judged j left join accepted a on a.message_id = j.message_id
    order by j.n`)
}
