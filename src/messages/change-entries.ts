// Files and flags entries of messages, and says so in the log: the one place where that is done, of one by the API and of many
// by the webmail. Knows nothing of who asks.
import type { Realm } from '../access/actor.ts'
import { appendEvents } from '../events/append.ts'
import { sql, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { type EventMessage, messageEvent } from './message-event.ts'
import type { UpdateMessageInput } from './schemas.ts'

/** What is to change: whatever is not named stays as it is, also when another request changes it meanwhile. */
export type EntryChange = Pick<UpdateMessageInput, 'isRead' | 'isStarred' | 'folder'>

/** A message as one mailbox has it. */
export interface EntryRef {
  messageId: Uuid
  mailboxId: Uuid
}

export interface ChangedEntry extends EntryRef {
  change: EntryChange
}

type Row = EventMessage & { mailbox_id: Uuid }

/**
 * Changes entries, each of them once, and appends `message.updated` for each that is there. Gives those. Several are changed by
 * who holds their messages (lock-entries.ts), so that two wait for one another in no circle.
 */
export async function changeEntries(tx: Tx, realm: Realm, wanted: readonly ChangedEntry[]): Promise<EntryRef[]> {
  // As the database writes them.
  const entries = wanted.map(({ messageId, mailboxId, change }) => {
    return { messageId: messageId.toLowerCase(), mailboxId: mailboxId.toLowerCase(), change }
  })
  const changeOf = new Map(entries.map((entry) => [keyOf(entry), entry.change]))
  const changed: Row[] = []
  // What is implied no more when its turn comes, another request has touched first.
  for (const changeSome of [changeWritten, changeImplied, changeWritten]) {
    const done = new Set(changed.map(keyOfRow))
    const left = entries.filter((entry) => !done.has(keyOf(entry)))
    if (left.length > 0) changed.push(...(await changeSome(tx, realm, left)))
  }
  await appendEvents(
    tx,
    changed.map((row) => {
      return messageEvent('message.updated', row, row.mailbox_id, { changes: changeOf.get(keyOfRow(row)) ?? {} })
    }),
  )
  return changed.map(({ id, mailbox_id: mailboxId }) => ({ messageId: id, mailboxId }))
}

const keyOf = ({ messageId, mailboxId }: EntryRef) => `${messageId} ${mailboxId}`
const keyOfRow = ({ id, mailbox_id: mailboxId }: Row) => `${id} ${mailboxId}`

/** What these are, as the statements take them. */
const rowsOf = (entries: readonly ChangedEntry[]) =>
  JSON.stringify(entries.map(({ change, ...entry }) => ({ ...entry, ...change })))

/** One guarded statement over the rows as they are when their turn comes. (Each message and entry is looked up by its key.) */
function changeWritten(tx: Tx, realm: Realm, entries: readonly ChangedEntry[]): Promise<Row[]> {
  return tx.rows(sql<Row>`
    update message_entries e
    set folder = coalesce(n.folder, e.folder), is_read = coalesce(n."isRead", e.is_read),
      is_starred = coalesce(n."isStarred", e.is_starred),
      trashed_at = case
        when coalesce(n.folder, e.folder) <> 'trash' then null
        else coalesce(e.trashed_at, clock_timestamp()) end
    from json_to_recordset(${rowsOf(entries)}::json) as n (
      "messageId" uuid, "mailboxId" uuid, folder text, "isRead" boolean, "isStarred" boolean)
    cross join lateral (
      select m.tenant_id, m.id, m.environment_id, m.direction, m.message_id, m.subject, m.from_address, m.from_name,
        m.to_addresses, coalesce(s.status, 'received') as status
      from messages m
      left join message_states s on s.tenant_id = m.tenant_id and s.message_id = m.id
      where m.tenant_id = ${realm.tenantId} and m.environment_id = ${realm.environmentId} and m.id = n."messageId"
        and m.gone is null
      limit 1
    ) m
    where e.tenant_id = ${realm.tenantId} and e.message_id = any (${entries.map(({ messageId }) => messageId)}::uuid[])
      and e.message_id = n."messageId" and e.mailbox_id = n."mailboxId"
    returning m.id, e.mailbox_id, m.tenant_id, m.environment_id, m.direction, m.status, m.message_id, m.subject,
      m.from_address, m.from_name, m.to_addresses`)
}

/**
 * The sender's entry is implied by the message until it is first touched. Whoever clears the flag writes the row: of two at
 * once one waits for the other, and finds the flag cleared.
 */
function changeImplied(tx: Tx, realm: Realm, entries: readonly ChangedEntry[]): Promise<Row[]> {
  return tx.rows(sql<Row>`
    with touched as (
      update messages m set in_sent = false
      from json_to_recordset(${rowsOf(entries)}::json) as n (
        "messageId" uuid, "mailboxId" uuid, folder text, "isRead" boolean, "isStarred" boolean)
      where m.tenant_id = ${realm.tenantId} and m.environment_id = ${realm.environmentId}
        and m.id = any (${entries.map(({ messageId }) => messageId)}::uuid[])
        and m.id = n."messageId" and m.mailbox_id = n."mailboxId" and m.in_sent and m.gone is null
      returning m.id, m.mailbox_id, m.tenant_id, m.environment_id, m.created_at, m.seq, m.direction, m.message_id, m.subject,
        m.from_address, m.from_name, m.to_addresses, n.folder, n."isRead", n."isStarred"
    ),
    entry as (
      insert into message_entries (tenant_id, message_id, mailbox_id, environment_id, created_at, seq, folder, is_read,
        is_starred, trashed_at)
      select t.tenant_id, t.id, t.mailbox_id, t.environment_id, t.created_at, t.seq, coalesce(t.folder, 'sent'),
        coalesce(t."isRead", true), coalesce(t."isStarred", false),
        case when t.folder = 'trash' then clock_timestamp() end
      from touched t
    )
    select t.id, t.mailbox_id, t.tenant_id, t.environment_id, t.direction, s.status, t.message_id, t.subject,
      t.from_address, t.from_name, t.to_addresses
    from touched t join message_states s on s.tenant_id = t.tenant_id and s.message_id = t.id`)
}
