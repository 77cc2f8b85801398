// A message with the others of its conversation, as far as they lie in mailboxes of a user. Knows nothing of HTTP.
// specification.md#lists-of-the-webmail
import type { MailboxUser } from '../../access/actor.ts'
import { assertMay } from '../../access/permissions.ts'
import { absent } from '../../access/problem.ts'
import { type Db, sql, type Timestamp } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'
import { chosenMailboxes } from '../chosen-mailboxes.ts'
import type { Address, Folder } from '../schemas.ts'
import type { MessageStatus } from '../status.ts'

export interface ConversationHead {
  id: Uuid
  direction: 'inbound' | 'outbound'
  from: Address | null
  /** The first of them, and how many `to` and `cc` have together. */
  to: Address[]
  cc: Address[]
  recipients: number
  at: Timestamp
  preview: string
  status: MessageStatus
  hasAttachments: boolean
  entries: { mailboxId: Uuid; folder: Folder; isRead: boolean; isStarred: boolean }[]
}

export interface Conversation {
  subject: string
  messages: ConversationHead[]
  isCut: boolean
}

/** The newest; and the one that is asked for, if it is older. */
const MOST_HEADS = 100
/** Of `to` and of `cc`, in the head of a message: there may be thousands. */
const MOST_RECIPIENTS = 5

/** @throws Problem not_found when the message lies in none of the user's mailboxes, or not in the one that is named */
export async function readConversation(
  db: Db,
  actor: MailboxUser,
  messageId: Uuid,
  mailboxId: Uuid | undefined,
): Promise<Conversation> {
  assertMay(actor, 'readMessages')
  const heads = await readHeads(db, actor, messageId, chosenMailboxes(actor, mailboxId))
  const asked = heads.find(({ id }) => id === messageId)
  if (!asked) throw absent('message')
  const shown = heads.slice(0, MOST_HEADS)
  const isCut = heads.length > MOST_HEADS
  if (!shown.includes(asked)) shown.splice(-1, 1, asked)
  return {
    subject: (shown[0] as Head).subject,
    messages: shown.toReversed().map(({ subject: _subject, ...head }) => head),
    isCut,
  }
}

type Head = ConversationHead & { subject: string }

/** Newest first: one more than are shown, and behind these the one that is asked for. */
function readHeads(
  db: Db,
  { tenantId, environmentId }: MailboxUser,
  messageId: Uuid,
  mailboxIds: readonly Uuid[],
): Promise<Head[]> {
  return db.rows(sql<Head>`
    with members as (
      select o.message_id, o.created_at, o.seq
      from conversation_messages c
      join conversation_messages o on o.tenant_id = ${tenantId} and o.conversation_id = c.conversation_id
      where c.tenant_id = ${tenantId} and c.message_id = ${messageId}
      union
      select m.id, m.created_at, m.seq from messages m where m.tenant_id = ${tenantId} and m.id = ${messageId}
    ),
    lying as (
      select o.message_id, o.created_at, o.seq, e.entries, row_number() over (order by o.created_at desc, o.seq desc) as position
      from members o
      cross join lateral (
        select json_agg(json_build_object('mailboxId', e.mailbox_id, 'folder', e.folder, 'isRead', e.is_read,
          'isStarred', e.is_starred) order by e.mailbox_id) as entries
        from (
          select e.mailbox_id, e.folder, e.is_read, e.is_starred from message_entries e
          where e.tenant_id = ${tenantId} and e.message_id = o.message_id and e.mailbox_id = any (${mailboxIds}::uuid[])
          union all
          select i.mailbox_id, 'sent', true, false from messages i
          where i.tenant_id = ${tenantId} and i.id = o.message_id and i.in_sent and i.mailbox_id = any (${mailboxIds}::uuid[])
        ) e
      ) e
      where e.entries is not null
    )
    select m.id, m.direction,
      case when m.from_address is not null then json_build_object('address', m.from_address, 'name', m.from_name) end as "from",
      (
        select coalesce(json_agg(r.one order by r.position), '[]')
        from json_array_elements(m.to_addresses) with ordinality as r (one, position) where r.position <= ${MOST_RECIPIENTS}
      ) as to,
      (
        select coalesce(json_agg(r.one order by r.position), '[]')
        from json_array_elements(m.cc_addresses) with ordinality as r (one, position) where r.position <= ${MOST_RECIPIENTS}
      ) as cc,
      json_array_length(m.to_addresses) + json_array_length(m.cc_addresses) as recipients, m.created_at as at, m.subject, m.preview,
      coalesce(s.status, 'received') as status, m.attachment_count > 0 as "hasAttachments", l.entries
    from lying l
    cross join lateral (
      select m.id, m.direction, m.from_address, m.from_name, m.to_addresses, m.cc_addresses, m.created_at, m.subject,
        m.preview, m.attachment_count
      from messages m
      where m.tenant_id = ${tenantId} and m.environment_id = ${environmentId} and m.id = l.message_id and m.gone is null
      limit 1
    ) m
    left join lateral (
      select s.status from message_states s where s.tenant_id = ${tenantId} and s.message_id = m.id limit 1
    ) s on true
    where l.position <= ${MOST_HEADS + 1} or l.message_id = ${messageId}
    order by l.position`)
}
