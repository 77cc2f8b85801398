// The Message-IDs that an answer mentions, of a message that the user reads.
import type { MailboxUser } from '../../access/actor.ts'
import { notFoundField, Problem } from '../../access/problem.ts'
import { type Db, sql } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'
import { messageIdOf } from '../message-id.ts'
import { ownEntries } from '../own/own-entries.ts'
import { type Thread, threadOf } from './reply-references.ts'

interface Row {
  id: Uuid
  direction: 'inbound' | 'outbound'
  message_id: string | null
  from_address: string | null
  inReplyTo: string | null
  references: string[]
}

/** @throws Problem not_found where it lies in none of the user's mailboxes */
export async function findThread(db: Db, actor: MailboxUser, answers: Uuid): Promise<Thread> {
  await ownEntries(db, actor, answers).catch(refuseAbsent)
  const row = await db.first(sql<Row>`
    select m.id, m.direction, m.message_id, m.from_address, m.in_reply_to as "inReplyTo",
      coalesce(to_jsonb(m.reference_ids), c.reference_ids, '[]'::jsonb) as "references"
    from messages m
    left join message_contents c on c.tenant_id = m.tenant_id and c.message_id = m.id
    where m.tenant_id = ${actor.tenantId} and m.environment_id = ${actor.environmentId} and m.id = ${answers}
      and m.gone is null`)
  if (!row) throw notFoundField('answers')
  return threadOf({ ...row, messageId: messageIdOf(row) })
}

function refuseAbsent(error: unknown): never {
  throw error instanceof Problem && error.code === 'not_found' ? notFoundField('answers') : error
}
