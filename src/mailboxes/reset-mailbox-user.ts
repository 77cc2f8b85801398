// Makes a link by which somebody who cannot sign in any more sets a new password.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { absent } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import { type Database, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { makeLink, type NewLink } from '../users/links.ts'
import { mailboxUserRef } from '../users/user.ts'

/** Nothing changes until the link is used. @throws Problem not_found */
export async function resetMailboxUser(database: Database, actor: TenantActor, userId: Uuid): Promise<NewLink> {
  assertMay(actor, 'manageMailboxUsers')
  const { tenantId } = actor
  return database.transaction(async (tx) => {
    const user = await tx.first(sql<{ id: Uuid }>`
      select id from users where tenant_id = ${tenantId} and id = ${userId} and kind = 'mailbox_user'`)
    if (!user) throw absent('mailbox user')
    await recordAct(tx, actor, { operation: 'mailboxUser.reset', resourceType: 'mailbox_user', resourceId: userId })
    return makeLink(tx, mailboxUserRef(tenantId, userId), 'reset', tenantId)
  })
}
