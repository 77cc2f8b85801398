// Which messages somebody means who files or ends some in the webmail, and in which mailboxes. What is absent among many is
// passed over. specification.md#filing-in-the-webmail
import type { MailboxUser } from '../../access/actor.ts'
import { absent, invalidField } from '../../access/problem.ts'
import { type Db, sql } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'
import type { EntryRef } from '../change-entries.ts'
import { chosenMailboxes } from '../chosen-mailboxes.ts'
import { conversationMembers } from '../conversations/conversation-members.ts'
import type { Folder } from '../schemas.ts'
import { readOnly } from './writable-mailboxes.ts'

export interface MessageSelection {
  messages: readonly Uuid[]
  /** As they lie there. */
  folder: Folder
  /** One of the user's; undefined: all of them. */
  mailbox?: Uuid | undefined
  /** With what else of their conversations lies there. */
  wholeConversations: boolean
}

/** As many as can be taken back at once. specification.md#filing-in-the-webmail */
const MOST_IN_CONVERSATIONS = 1_000

export interface ChosenMessages {
  ids: Uuid[]
  /** Those that the user may write to. */
  mailboxIds: Uuid[]
}

/**
 * @throws Problem not_found for a mailbox that is not the user's, and where none of the messages lies in the user's mailboxes;
 * not_allowed where they lie only in such that the user may read; validation_error where their conversations are too long
 */
export async function chooseMessages(db: Db, actor: MailboxUser, selection: MessageSelection): Promise<ChosenMessages> {
  const mailboxIds = chosenMailboxes(actor, selection.mailbox)
  const found = await findWhereTheyLie(db, actor, selection.messages, mailboxIds)
  if (found.length === 0) throw absent('message')
  const mayWrite = (mailboxId: Uuid) => actor.mailboxes.get(mailboxId) === 'write'
  const writable = found.filter(({ mailboxId }) => mayWrite(mailboxId))
  if (writable.length === 0) throw readOnly()
  const chosen = { ids: idsOf(writable), mailboxIds: mailboxIds.filter(mayWrite) }
  if (!selection.wholeConversations) return chosen
  const members = await conversationMembers(db, actor, chosen.ids, MOST_IN_CONVERSATIONS + 1)
  if (members.length > MOST_IN_CONVERSATIONS) {
    const sentence = `Their conversations have more than ${MOST_IN_CONVERSATIONS} messages: choose fewer of them at once.`
    throw invalidField('messages', sentence)
  }
  // Messages of other mailboxes are nobody's business here: they are not even held.
  return { ...chosen, ids: idsOf(await findWhereTheyLie(db, actor, members, chosen.mailboxIds)) }
}

const idsOf = (entries: readonly EntryRef[]) => [...new Set(entries.map(({ messageId }) => messageId))]

function findWhereTheyLie(
  db: Db,
  { tenantId, environmentId }: MailboxUser,
  ids: readonly Uuid[],
  mailboxIds: readonly Uuid[],
): Promise<EntryRef[]> {
  return db.rows(sql<EntryRef>`
    select m.id as "messageId", e.mailbox_id as "mailboxId"
    from unnest(${ids}::uuid[]) as n (id)
    cross join lateral (
      select m.id, m.mailbox_id, m.in_sent from messages m
      where m.tenant_id = ${tenantId} and m.environment_id = ${environmentId} and m.id = n.id and m.gone is null
      limit 1
    ) m
    cross join lateral (
      select e.mailbox_id from message_entries e
      where e.tenant_id = ${tenantId} and e.message_id = m.id and e.mailbox_id = any (${mailboxIds}::uuid[])
      union all
      select m.mailbox_id where m.in_sent and m.mailbox_id = any (${mailboxIds}::uuid[])
    ) e`)
}
