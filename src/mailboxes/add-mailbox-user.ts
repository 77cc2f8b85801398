// Gives somebody access to a mailbox in the webmail.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { absent, invalidField } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import { isEmailAddress } from '../lib/formats.ts'
import { type Database, sql, type Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { findOrMakeMailboxUser } from '../users/find-or-make-user.ts'
import { normalizeLogin } from '../users/find-user.ts'
import { makeLink } from '../users/links.ts'
import { mailboxUserRef } from '../users/user.ts'

export interface AddedMailboxUser {
  id: Uuid
  /** Of the link, `/enter/<token>`. */
  token: string
  expiresAt: Timestamp
}

/**
 * Whoever has another mailbox of the tenant already gets this one too, and a link that asks them to sign in.
 * @throws Problem not_found for the mailbox, validation_error for a login that is no address or belongs to another tenant
 */
export async function addMailboxUser(
  database: Database,
  actor: TenantActor,
  request: { mailboxId: Uuid; login: string; access: 'read' | 'write' },
): Promise<AddedMailboxUser> {
  assertMay(actor, 'manageMailboxUsers')
  const login = normalizeLogin(request.login)
  if (!isEmailAddress(login)) throw invalidField('login', `"${request.login}" is not an email address`)
  const { tenantId } = actor
  return database.transaction(async (tx) => {
    const mailbox = await tx.first(sql<{ id: Uuid }>`
      select id from mailboxes where tenant_id = ${tenantId} and id = ${request.mailboxId}`)
    if (!mailbox) throw absent('mailbox')
    const id = await findOrMakeMailboxUser(tx, tenantId, login)
    if (!id) throw invalidField('login', `${login} cannot be used here: choose another`)
    await tx.rows(sql`
      insert into mailbox_access (tenant_id, mailbox_user_id, mailbox_id, access)
      values (${tenantId}, ${id}, ${mailbox.id}, ${request.access})
      on conflict (tenant_id, mailbox_user_id, mailbox_id) do update set access = excluded.access`)
    // From now on what it has is found by words.
    await tx.rows(sql`
      insert into searched_mailboxes (tenant_id, mailbox_id) values (${tenantId}, ${mailbox.id}) on conflict do nothing`)
    const link = await makeLink(tx, mailboxUserRef(tenantId, id), 'invitation', tenantId)
    await recordAct(tx, actor, { operation: 'mailboxUser.add', resourceType: 'mailbox_user', resourceId: id })
    return { id, ...link }
  })
}
