// A mailbox with conversations in its inbox, written without triggers and events: short ones, or long ones that go on at once.
import type { Database } from '../src/lib/sql.ts'
import type { Uuid } from '../src/lib/uuid.ts'
import { createTestMailboxUser } from '../test/support/people.ts'
import { createTestTenant } from '../test/support/tenant.ts'

export interface ConversationRows {
  tenantId: Uuid
  userId: Uuid
  /** Of a session of its user, as the cookie has it. */
  cookie: string
}

/** A statement of more would take longer than the pool lets any. */
const AT_ONCE = 20_000

/** So many messages, newest last, `each` of them in a conversation: those of as many conversations in turns as there are. */
export async function fillConversations(database: Database, messages: number, each: number): Promise<ConversationRows> {
  const { tenantId, mailboxId, address } = await createTestTenant(database)
  const { id: userId, session } = await createTestMailboxUser(database, tenantId, mailboxId)
  const conversations = Math.ceil(messages / each)
  for (let first = 0; first < messages; first += AT_ONCE) {
    const last = Math.min(messages, first + AT_ONCE) - 1
    await database.pool.query(MESSAGES, [tenantId, mailboxId, address, first, last, messages, conversations])
  }
  await database.pool.query('vacuum analyze')
  return { tenantId, userId, cookie: session.cookie }
}

/** When the n-th message came: one a minute. */
const AT = `date_trunc('hour', now()) - ($6::bigint - n) * interval '1 minute'`

/** Of the n-th message: as an id of its time would be. */
const id = (n: string) =>
  `(lpad(to_hex(1700000000000 + ${n}), 12, '0') || '7000' || left(md5($1::text || ${n}), 16))::uuid`

const MESSAGES = `with message as (
    insert into messages (tenant_id, id, environment_id, created_at, direction, from_address, from_name, to_addresses,
      cc_addresses, bcc_addresses, subject, preview, received_at, size_bytes, message_id, text)
    select $1::uuid, ${id('n')}, $1::uuid, ${AT}, 'inbound', 'person' || n % 1000 || '@example.test', 'Person ' || n % 1000,
      json_build_array(json_build_object('address', $3::text, 'name', null)), '[]', '[]', 'Note no. ' || n,
      repeat('What it is about. ', 8), ${AT}, 2000, '<' || n || '@example.test>',
      repeat('What it is about. ', 40) || 'This is note no. ' || n || '.'
    from generate_series($4::bigint, $5::bigint) as n
    returning id, created_at, seq, split_part(subject, ' ', 3)::bigint as n
  ),
  content as (
    insert into message_contents (tenant_id, message_id, reply_to, reference_ids, headers)
    select $1::uuid, m.id, '[]', '[]', '[]' from message m
  ),
  entry as (
    insert into message_entries (tenant_id, message_id, mailbox_id, environment_id, created_at, seq, folder, is_read, is_starred)
    select $1::uuid, m.id, $2::uuid, $1::uuid, m.created_at, m.seq, 'inbox', m.n % 10 > 0, m.n % 100 = 0 from message m
  )
  insert into conversation_messages (tenant_id, message_id, conversation_id, created_at, seq)
  select $1::uuid, m.id, ${id('(m.n % $7::bigint)')}, m.created_at, m.seq from message m`
