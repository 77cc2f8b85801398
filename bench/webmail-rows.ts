// A mailbox that somebody has read for years: messages with texts, its entries, and the words by which they are found. Written
// without triggers and events, and with the words as the activity role would note them; their index is made in one go.
import type { Database } from '../src/lib/sql.ts'
import { newId, type Uuid } from '../src/lib/uuid.ts'
import { wordsOfMail } from '../src/mail/mail-words.ts'
import { createTestMailboxUser } from '../test/support/people.ts'
import { createTestTenant } from '../test/support/tenant.ts'

export interface WebmailRows {
  tenantId: Uuid
  mailboxId: Uuid
  /** Of a session of its user, as the cookie has it. */
  cookie: string
  /** Some of the messages, from all over the years. */
  messageIds: Uuid[]
}

/** Different words, of which the first are used most: the n-th about a n-th as often as the first. */
const VOCABULARY = 30_000
/** Different texts. Each message has words of its own besides: its number, and one of so many. */
const TEXTS = 4_000
const WORDS_OF_A_TEXT = 80
/** So many people write. */
const SENDERS = 20_000
const YEARS = 2
/** As `src/activity/note-mail.ts` has it. A statement of more would take longer than the pool lets any. */
const MESSAGES_OF_A_SPAN = 16_384
const SOME = 200

/** All in the inbox, one of a hundred not read, one of a thousand starred, one of twenty with a file. */
export async function fillWebmail(database: Database, messages: number): Promise<WebmailRows> {
  const { tenantId, mailboxId, address } = await createTestTenant(database)
  const { session } = await createTestMailboxUser(database, tenantId, mailboxId)
  const texts = Array.from({ length: TEXTS }, textOfRank)
  const words = texts.map((text) => {
    const recipients = [{ address, name: null }]
    const mail = { subject: 'Note no', from: null, recipients, text, html: null, filenames: [], hasAttachment: false }
    return JSON.stringify(wordsOfMail(mail))
  })
  // Outside the pool, which lets no statement take long.
  const client = await database.connect('rows of the webmail')
  try {
    await client.query('set statement_timeout = 0; set session_replication_role = replica')
    await client.query('create temporary table bench_texts (n bigint, text text, words text[])')
    await client.query(
      `insert into bench_texts select n - 1, t.text, array(select json_array_elements_text(t.words::json))
       from unnest($1::text[], $2::text[]) with ordinality as t (text, words, n)`,
      [texts, words],
    )
    await client.query('create temporary table bench_vectors (n bigint primary key, words tsvector)')
    await client.query('drop index mailbox_search_words')
    for (let first = 0; first < messages; first += MESSAGES_OF_A_SPAN) {
      const end = Math.min(messages, first + MESSAGES_OF_A_SPAN)
      const { rows } = await client.query(SPAN, [tenantId, mailboxId, first, end, messages])
      await client.query('truncate bench_vectors')
      await client.query(VECTORS, [rows[0].id])
      await client.query(MESSAGES, [tenantId, mailboxId, address, first, end, messages, rows[0].id])
    }
    await client.query("set maintenance_work_mem = '1GB'; set max_parallel_maintenance_workers = 2")
    await client.query(
      'create index mailbox_search_words on mailbox_search using gin (words) with (gin_pending_list_limit = 256)',
    )
    await client.query('update searched_mailboxes set is_walked = true where tenant_id = $1', [tenantId])
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
  const { rows } = await database.pool.query(
    `select id from messages where tenant_id = $1 order by random() limit ${SOME}`,
    [tenantId],
  )
  return { tenantId, mailboxId, cookie: session.cookie, messageIds: rows.map((row) => row.id as Uuid) }
}

/** The n-th word of the vocabulary: `word0`. */
export const benchWord = (n: number): string => `word${n.toString(36)}`

function textOfRank(): string {
  const word = () => benchWord(Math.floor(VOCABULARY ** Math.random()))
  return `${Array.from({ length: WORDS_OF_A_TEXT }, word).join(' ')} ${newId().slice(-6)}`
}

/** When the n-th message came. */
const instant = (n: string, count: string) =>
  `date_trunc('hour', now()) - (${count} - ${n})::float8 / ${count} * interval '${YEARS} years'`

const SPAN = `insert into mailbox_spans (tenant_id, mailbox_id, begins_at, oldest_at, newest_at, messages)
  select $1, $2, case when $3::bigint = 0 then '-infinity' else ${instant('$3::bigint', '$5::bigint')} end,
    ${instant('$3::bigint', '$5::bigint')}, ${instant('($4::bigint - 1)', '$5::bigint')}, $4::bigint - $3::bigint
  returning id`

/** The words of each text, as they stand in a span. */
const VECTORS = `insert into bench_vectors (n, words)
  select t.n, array_to_tsvector(array(select to_hex($1::bigint) || '/' || w from unnest(t.words) as w)) from bench_texts t`

const MESSAGES = `with message as (
    insert into messages (tenant_id, id, environment_id, created_at, direction, from_address, from_name, to_addresses,
      cc_addresses, bcc_addresses, subject, preview, received_at, size_bytes, attachment_count, message_id, text)
    select $1, gen_random_uuid(), $1, ${instant('i.n', '$6::bigint')}, 'inbound', 'person' || i.n % ${SENDERS} || '@example.test',
      'Person ' || i.n % ${SENDERS}, json_build_array(json_build_object('address', $3::text, 'name', null)), '[]', '[]',
      'Note no. ' || i.n, left(t.text, 200), ${instant('i.n', '$6::bigint')}, 2000, (i.n % 20 = 0)::integer,
      '<' || i.n || '@example.test>', t.text
    from generate_series($4::bigint, $5::bigint - 1) as i (n) join bench_texts t on t.n = i.n % ${TEXTS}
    order by i.n
    returning id, created_at, seq, subject, from_address
  ),
  numbered as (select m.*, split_part(m.subject, ' ', 3)::bigint as n from message m),
  entry as (
    insert into message_entries (tenant_id, message_id, mailbox_id, environment_id, created_at, seq, folder, is_read, is_starred)
    select $1, m.id, $2, $1, m.created_at, m.seq, 'inbox', m.n % 100 > 0, m.n % 1000 = 0 from numbered m
  ),
  content as (
    insert into message_contents (tenant_id, message_id, reply_to, reference_ids, headers)
    select $1, m.id, '[]', '[]', '[]' from numbered m
  )
  insert into mailbox_search (tenant_id, message_id, mailbox_id, created_at, seq, words)
  select $1, m.id, $2, m.created_at, m.seq, v.words || array_to_tsvector(array(
    select to_hex($7::bigint) || '/' || w
    from unnest(array['w' || m.n, 's' || m.n, 'w' || m.from_address, 'f' || m.from_address, 'wperson' || m.n % ${SENDERS},
      'fperson' || m.n % ${SENDERS}] || case when m.n % 20 = 0 then array['+'] else '{}' end) as w))
  from numbered m join bench_vectors v on v.n = m.n % ${TEXTS}`
