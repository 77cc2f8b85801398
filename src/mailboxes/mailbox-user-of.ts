// Who is signed in to the webmail, as an actor with the mailboxes that the user has at this moment.
import type { MailboxUser } from '../access/actor.ts'
import type { RequestOrigin } from '../access/request-origin.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import type { FoundSession } from '../users/sessions.ts'

/** A suspended mailbox is among them: it is read, and sends nothing. */
export async function mailboxUserOf(db: Db, session: FoundSession, origin: RequestOrigin): Promise<MailboxUser> {
  const { tenantId, userId } = session
  const rows = await db.rows(sql<{ mailboxId: Uuid; access: 'read' | 'write' }>`
    select mailbox_id as "mailboxId", access from mailbox_access
    where tenant_id = ${tenantId} and mailbox_user_id = ${userId}`)
  return {
    kind: 'mailbox_user',
    mailboxUserId: userId,
    mailboxes: new Map(rows.map(({ mailboxId, access }) => [mailboxId, access])),
    tenantId,
    environmentId: tenantId,
    origin,
  }
}
