// A tenant as the console of a busy one has to show it: messages over thirty days with what became of them, their events,
// and deliveries of webhooks. Written without triggers, a transaction id of its own for each event, as they would have.
import { createSecretBox } from '../src/lib/secret-box.ts'
import type { Database } from '../src/lib/sql.ts'
import { newId, type Uuid } from '../src/lib/uuid.ts'
import { makeWebhookSecret } from '../src/webhooks/signature.ts'
import { sealSecret } from '../src/webhooks/signing-keys.ts'
import { createTestPerson } from '../test/support/people.ts'
import { TEST_SECRET_KEYS } from '../test/support/role-parts.ts'
import { createTestTenant } from '../test/support/tenant.ts'

export interface ConsoleRows {
  tenantId: Uuid
  appId: Uuid
  /** As the session's cookie has it. */
  cookie: string
  endpointId: Uuid
  /** Some messages, and some deliveries. */
  messageIds: Uuid[]
  deliveryIds: Uuid[]
}

/** So many of each, from all over the thirty days. */
const SOME = 200

const ENDPOINTS = 5
const DAYS = 30
/** A statement of more would take longer than the pool lets any. */
const AT_ONCE = 20_000

/** What messages are about: some words are rare. */
export const WORDS = ['invoice', 'receipt', 'welcome', 'reminder', 'statement', 'ticket', 'newsletter', 'quarterly']
/** So many people get the mail. */
export const RECIPIENTS = 50_000

/** Nearly three events and one delivery to each message. */
export async function fillConsole(database: Database, messages: number): Promise<ConsoleRows> {
  const { tenantId, mailboxId, appId } = await createTestTenant(database)
  const { session } = await createTestPerson(database, tenantId, 'owner')
  const box = createSecretBox(TEST_SECRET_KEYS)
  const endpoints = Array.from({ length: ENDPOINTS }, newId)
  const client = await database.pool.connect()
  try {
    await client.query('set session_replication_role = replica')
    for (const id of endpoints) {
      const secret = sealSecret(box, tenantId, id, makeWebhookSecret())
      await client.query(ENDPOINT, [tenantId, id, appId, secret])
    }
    for (let first = 1; first <= messages; first += AT_ONCE) {
      const last = Math.min(messages, first + AT_ONCE - 1)
      const place = [tenantId, mailboxId, appId, first, last, messages]
      await client.query(MESSAGES, [...place, WORDS, RECIPIENTS, DAYS])
      await client.query(EVENTS, [tenantId, mailboxId, first, last, messages, DAYS])
      await client.query(DELIVERIES, [tenantId, first, last, messages, endpoints, DAYS])
    }
    for (const statement of BESIDES) await client.query(statement, [tenantId, appId, Math.ceil(messages / 10)])
  } finally {
    await client.query('reset session_replication_role')
    client.release()
  }
  await database.pool.query('analyze')
  const some = async (table: 'messages' | 'webhook_deliveries') => {
    const { rows } = await database.pool.query(`select id from ${table} order by random() limit ${SOME}`)
    return rows.map((row) => row.id as Uuid)
  }
  return {
    tenantId,
    appId,
    cookie: session.cookie,
    endpointId: endpoints[0] as Uuid,
    messageIds: await some('messages'),
    deliveryIds: await some('webhook_deliveries'),
  }
}

/** Of the n-th of a kind, made at an instant: as an id of its time would be. */
const id = (kind: 0 | 1 | 2, n: string, at: string) =>
  `(left(uuid_at(${at})::text, 14) || '700${kind}-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`

/** Of 100 messages 96 were delivered, 2 bounced, 1 failed, and 1 is only sent. */
const outcome = (n: string, whenDelivered: string, whenBounced: string, whenFailed: string, whenSent: string) =>
  `case ${n} % 100 when 0 then ${whenFailed} when 1 then ${whenBounced} when 2 then ${whenBounced} when 3 then ${whenSent}
   else ${whenDelivered} end`
const STATUS = (n: string) => outcome(n, "'delivered'", "'bounced'", "'failed'", "'sent'")

const instant = (n: string, count: string, days: string) =>
  `date_trunc('hour', now()) - (${count} - ${n})::float8 / ${count} * make_interval(days => ${days})`

const numbered = (from: string, to: string, count: string, days: string) =>
  `(select n, ${instant('n', count, days)} as at from generate_series(${from}::bigint, ${to}::bigint) as n) g`

const ENDPOINT = `insert into webhook_endpoints (tenant_id, id, app_id, environment_id, url, event_types, api_version, secret)
  values ($1, $2, $3, $1, 'https://receiver.example.test/' || $2::uuid, '{message.sent}', '2026-01-01', $4)`

const MESSAGES = `with message as (
    insert into messages (tenant_id, id, environment_id, created_at, direction, mailbox_id, app_id, in_sent, from_address,
      from_name, to_addresses, cc_addresses, bcc_addresses, subject, preview, text)
    select $1, ${id(0, 'n', 'at')}, $1, at, 'outbound', $2, $3, true,
      'shop@example.test', 'The shop',
      json_build_array(json_build_object('address', 'person' || n % $8::bigint || '@example.test', 'name', null)),
      '[]', '[]', 'Your ' || ($7::text[])[1 + n % 8] || ' no. ' || n, 'Preview', 'Text'
    from ${numbered('$4', '$5', '$6::bigint', '$9::integer')}
    returning id, created_at, seq, to_addresses
  ),
  numbered as (select m.*, ('x' || right(m.id::text, 8))::bit(32)::bigint as n from message m)
  insert into message_states (tenant_id, message_id, status, open, sent_at, size_bytes, recipients, failed_environment_id,
    failed_created_at, failed_seq)
  select $1, m.id, ${STATUS('m.n')}, 0, case when m.n % 100 > 0 then m.created_at end,
    case when m.n % 100 > 0 then 2000 end,
    json_build_array(json_build_object('address', m.to_addresses -> 0 ->> 'address', 'kind', 'to', 'status', ${STATUS('m.n')},
      'smtpCode', 250, 'enhancedCode', '2.0.0', 'diagnostic', 'Ok: queued', 'attempts', 1)),
    case when m.n % 100 < 3 then $1::uuid end, case when m.n % 100 < 3 then m.created_at end,
    case when m.n % 100 < 3 then m.seq end
  from numbered m`

const EVENTS = `insert into events (tenant_id, environment_id, epoch, xid, id, type, resource_type, resource_id, data, occurred_at)
  select $1, $1, 0, (3 * n + step)::text::xid8, case step when 1 then ${id(1, 'n', 'at')} else gen_random_uuid() end,
    case step when 0 then 'message.queued' when 1 then 'message.sent' else 'message.' || ${STATUS('n')} end,
    'message', ${id(0, 'n', 'at')},
    json_build_object('mailboxId', $2::uuid, 'direction', 'outbound', 'subject', 'Your invoice no. ' || n,
      'recipient', 'person' || n || '@example.test'),
    at
  from ${numbered('$3', '$4', '$5::bigint', '$6::integer')} cross join generate_series(0, 2) as step
  where step < 2 or n % 100 <> 3`

/** One of a hundred is dead. */
const DELIVERIES = `insert into webhook_deliveries (tenant_id, id, endpoint_id, event_id, event_type, environment_id, epoch, xid,
    seq, status, attempts, receptions, last_attempt_at, last_status_code, last_error, last_duration_ms, delivered_at, dead_at,
    created_at)
  select $1, ${id(2, 'n', 'at')}, ($5::uuid[])[1 + n % ${ENDPOINTS}], ${id(1, 'n', 'at')}, 'message.sent', $1, 0,
    (3 * n + 1)::text::xid8, 0, case when n % 100 = 0 then 'dead' else 'delivered' end, 1, 1, at,
    case when n % 100 = 0 then 500 else 200 end, case when n % 100 = 0 then 'http_status' end, 20 + n % 50,
    case when n % 100 > 0 then at end, case when n % 100 = 0 then at end, at
  from ${numbered('$2', '$3', '$4::bigint', '$6::integer')}`

/** To ten messages each: a refused request within the week, a record of an act, and to fifty an address that bounced. */
const BESIDES = [
  `insert into refused_requests (tenant_id, request_id, environment_id, at, method, route, path, status, code, app_id, key_id,
     client_address, duration_ms)
   select $1, ${id(0, 'n', 'at')}, $1, at, 'POST', '/v1/messages', '/v1/messages', 400, 'validation_error', $2, k.id, '127.0.0.1', 1
   from ${numbered('1', '$3::bigint', '$3::bigint', '7')} join api_keys k on k.tenant_id = $1 and k.app_id = $2`,
  `insert into audit_log (tenant_id, id, at, app_id, key_id, operation, resource_type, resource_id, client_address)
   select $1, ${id(0, 'n', 'at')}, at, $2, $2, case when n % 100 = 0 then 'key.create' else 'updateMessage' end, 'message',
     ${id(0, 'n', 'at')}, '127.0.0.1'
   from ${numbered('1', '$3::bigint', '$3::bigint', `${DAYS}`)}`,
  `insert into bounced_addresses (tenant_id, environment_id, address, id, bounces, complaints, first_at, last_at, last_message_id,
     last_kind, smtp_code)
   select $1, $1, 'person' || n || '@example.test', ${id(0, 'n', 'at')}, 1, 0, at, at, ${id(0, 'n', 'at')}, 'bounced', 550
   from ${numbered('1', '$3::bigint / 5', '$3::bigint / 5', `${DAYS}`)} where $2::uuid is not null`,
  `insert into bounces (tenant_id, environment_id, address, id, message_id, kind, at, smtp_code)
   select a.tenant_id, a.environment_id, a.address, a.id, a.last_message_id, a.last_kind, a.last_at, a.smtp_code
   from bounced_addresses a where a.tenant_id = $1 and $2::uuid is not null and $3::bigint > 0`,
]
