// Makes another link for a mailbox user who was invited. The former is no good any more.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { absent } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import type { Database } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { makeLink, type NewLink } from '../users/links.ts'
import { lockUser } from '../users/lock-user.ts'
import { mailboxUserRef } from '../users/user.ts'

/** Whoever can sign in already is asked to by the link. @throws Problem not_found */
export async function inviteMailboxUserAgain(database: Database, actor: TenantActor, userId: Uuid): Promise<NewLink> {
  assertMay(actor, 'manageMailboxUsers')
  const { tenantId } = actor
  const user = mailboxUserRef(tenantId, userId)
  return database.transaction(async (tx) => {
    // In a tenant there are no other users.
    if (!(await lockUser(tx, user))) throw absent('mailbox user')
    await recordAct(tx, actor, { operation: 'mailboxUser.invite', resourceType: 'mailbox_user', resourceId: userId })
    return makeLink(tx, user, 'invitation', tenantId)
  })
}
