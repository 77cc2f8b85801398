// Notes by which words messages are found, as soon as their first event is followed. A message that is about to end is not
// noted behind its end: each is held by a lock that only its removal waits for.
import { sql, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import type { MailAddress } from '../mail/mail-address.ts'
import { wordsOfMessage } from '../mail/search-words.ts'
import { inStretches, weightOfAddresses } from './in-stretches.ts'
import type { FollowedEvent } from './read-followed-events.ts'

/** How many messages a span has before the next one begins. What a search costs in each grows with it, how often it looks shrinks. */
const MESSAGES_OF_A_SPAN = 16_384

/** What brings a message into being. */
export const FIRST_EVENTS: readonly string[] = ['message.queued', 'message.received']

interface Found {
  tenantId: Uuid
  environmentId: Uuid
  id: Uuid
  subject: string
  fromAddress: string | null
  fromName: string | null
  to: MailAddress[]
  cc: MailAddress[]
  bcc: MailAddress[]
  messageId: string | null
}

/** @throws what `ranOutOfTime` knows when one of them is being ended at this moment */
export async function makeSearchable(tx: Tx, events: readonly FollowedEvent[]): Promise<void> {
  const first = events.filter(({ type }) => FIRST_EVENTS.includes(type))
  if (first.length === 0) return
  const found = await readMessages(tx, first)
  if (found.length === 0) return
  // Before anything is written: words take their time.
  const noted = await inStretches(
    found,
    ({ to, cc, bcc }) => weightOfAddresses([...to, ...cc, ...bcc]),
    (message) => ({ tenant_id: message.tenantId, id: message.id, words: wordsOf(message) }),
  )
  await beginSpans(tx, found)
  await noteWords(tx, noted)
}

function readMessages(tx: Tx, first: readonly FollowedEvent[]): Promise<Found[]> {
  return tx.rows(sql<Found>`
    select distinct on (m.id) m.tenant_id as "tenantId", m.environment_id as "environmentId", m.id, m.subject,
      m.from_address as "fromAddress", m.from_name as "fromName", m.to_addresses as to, m.cc_addresses as cc,
      m.bcc_addresses as bcc, m.message_id as "messageId"
    from unnest(${first.map((event) => event.tenantId)}::uuid[], ${first.map((event) => event.environmentId)}::uuid[],
      ${first.map((event) => event.resourceId)}::uuid[]) as e (tenant_id, environment_id, id)
    join messages m on m.id = e.id and m.tenant_id = e.tenant_id and m.environment_id = e.environment_id
    order by m.id`)
}

/** Opens the first span of an environment, and the next one behind one that is full. None of its messages may be older. */
async function beginSpans(tx: Tx, found: readonly Found[]): Promise<void> {
  const environments = [...new Map(found.map((message) => [message.environmentId, message.tenantId]))]
  await tx.rows(sql`
    insert into search_spans (tenant_id, environment_id, begins_at, newest_at, messages)
    select e.tenant_id, e.environment_id, b.begins_at, b.begins_at, 0
    from unnest(${environments.map(([, tenantId]) => tenantId)}::uuid[], ${environments.map(([id]) => id)}::uuid[])
      as e (tenant_id, environment_id)
    left join lateral (
      select s.newest_at, s.messages from search_spans s
      where s.tenant_id = e.tenant_id and s.environment_id = e.environment_id order by s.begins_at desc limit 1
    ) s on true
    cross join lateral (select coalesce(s.newest_at + interval '1 microsecond', '-infinity') as begins_at) b
    where s.messages is null or s.messages >= ${MESSAGES_OF_A_SPAN}`)
}

interface Noted {
  tenant_id: Uuid
  id: Uuid
  words: string[]
}

async function noteWords(tx: Tx, noted: readonly Noted[]): Promise<void> {
  await tx.rows(sql`
    with given as materialized (
      select g.tenant_id, g.id, g.words
      from json_to_recordset(${JSON.stringify(noted)}::json) as g (tenant_id uuid, id uuid, words json)
    ),
    message as materialized (
      select m.tenant_id, m.id, m.environment_id, m.created_at, m.seq from messages m
      where (m.tenant_id, m.id) in (select g.tenant_id, g.id from given g)
      for key share nowait
    ),
    placed as materialized (
      select m.tenant_id, m.id, m.environment_id, m.created_at, m.seq, p.begins_at,
        array_to_tsvector(array(select to_hex(p.id) || '/' || w from json_array_elements_text(g.words) as w)) as words
      from message m
      join given g on g.tenant_id = m.tenant_id and g.id = m.id
      cross join lateral (
        select s.id, s.begins_at from search_spans s
        where s.tenant_id = m.tenant_id and s.environment_id = m.environment_id and s.begins_at <= m.created_at
        order by s.begins_at desc limit 1
      ) p
    ),
    written as (
      insert into message_search as n (tenant_id, message_id, environment_id, created_at, seq, words)
      select p.tenant_id, p.id, p.environment_id, p.created_at, p.seq, p.words from placed p
      on conflict (tenant_id, message_id) do update set words = excluded.words where n.words <> excluded.words
      returning n.message_id, n.xmax = 0 as is_new
    )
    update search_spans s set messages = s.messages + f.count, newest_at = greatest(s.newest_at, f.newest_at)
    from (
      select p.tenant_id, p.environment_id, p.begins_at, count(*)::integer as count, max(p.created_at) as newest_at
      from placed p join written w on w.message_id = p.id and w.is_new
      group by p.tenant_id, p.environment_id, p.begins_at
    ) f
    where s.tenant_id = f.tenant_id and s.environment_id = f.environment_id and s.begins_at = f.begins_at`)
}

function wordsOf({ subject, fromAddress, fromName, to, cc, bcc, messageId }: Found): string[] {
  const from = fromAddress === null ? null : { address: fromAddress, name: fromName }
  return wordsOfMessage({ subject, from, recipients: [...to, ...cc, ...bcc], messageId })
}
