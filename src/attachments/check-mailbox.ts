// The mailbox that an attachment is made for.
import type { Realm } from '../access/actor.ts'
import { notFoundField, problem } from '../access/problem.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** @throws Problem not_found, mailbox_suspended */
export async function checkMailbox(db: Db, realm: Realm, mailboxId: Uuid): Promise<void> {
  const state = await mailboxState(db, realm, mailboxId)
  if (!state) throw notFoundField('mailboxId')
  if (state === 'suspended') throw problem('mailbox_suspended')
}

type MailboxState = 'active' | 'suspended'

async function mailboxState(db: Db, realm: Realm, id: Uuid): Promise<MailboxState | undefined> {
  const row = await db.first(sql<{ status: MailboxState }>`
    select status from mailboxes where tenant_id = ${realm.tenantId} and id = ${id}`)
  return row?.status
}
