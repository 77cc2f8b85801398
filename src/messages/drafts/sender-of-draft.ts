// Who sends a draft that is due, as an actor with what the user may do at this moment.
import type { MailboxUser } from '../../access/actor.ts'
import { sql, type Tx } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'

export interface SenderOfDraft {
  actor: MailboxUser
  /** The user may write to the mailbox. */
  mayWrite: boolean
  isTenantActive: boolean
}

interface Row {
  senderId: Uuid
  mailboxId: Uuid
  access: 'read' | 'write' | null
  isTenantActive: boolean
  clientAddress: string
  userAgent: string | null
  requestId: Uuid
}

/** For the transaction that has locked the draft: the user's access stays as it is until it ends. */
export async function senderOfDraft(tx: Tx, tenantId: Uuid, id: Uuid): Promise<SenderOfDraft> {
  await tx.rows(sql`
    select a.access from mailbox_access a
    where (a.tenant_id, a.mailbox_user_id, a.mailbox_id) = (
      select d.tenant_id, d.sender_id, d.mailbox_id from drafts d where d.tenant_id = ${tenantId} and d.id = ${id})
    for share`)
  const row = (await tx.first(sql<Row>`
    select d.sender_id as "senderId", d.mailbox_id as "mailboxId", a.access, t.status = 'active' as "isTenantActive",
      d.client_address as "clientAddress", d.user_agent as "userAgent", d.request_id as "requestId"
    from drafts d
    join tenants t on t.id = d.tenant_id
    left join mailbox_access a
      on a.tenant_id = d.tenant_id and a.mailbox_user_id = d.sender_id and a.mailbox_id = d.mailbox_id
    where d.tenant_id = ${tenantId} and d.id = ${id}`)) as Row
  const { senderId, mailboxId, access, isTenantActive, clientAddress, userAgent, requestId } = row
  return {
    actor: {
      kind: 'mailbox_user',
      tenantId,
      environmentId: tenantId,
      mailboxUserId: senderId,
      mailboxes: new Map(access === null ? [] : [[mailboxId, access]]),
      origin: { clientAddress, userAgent, requestId },
    },
    mayWrite: access === 'write',
    isTenantActive,
  }
}
