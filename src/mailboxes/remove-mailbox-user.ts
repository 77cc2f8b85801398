// Takes somebody's access to a mailbox away. Whoever has no mailbox any more is forgotten.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { absent } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import { type Database, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { lockUser } from '../users/lock-user.ts'
import { removeUser } from '../users/remove-user.ts'
import { mailboxUserRef } from '../users/user.ts'

/** @throws Problem not_found */
export async function removeMailboxUser(
  database: Database,
  actor: TenantActor,
  { mailboxId, userId }: { mailboxId: Uuid; userId: Uuid },
): Promise<void> {
  assertMay(actor, 'manageMailboxUsers')
  const { tenantId } = actor
  const user = mailboxUserRef(tenantId, userId)
  await database.transaction(async (tx) => {
    await lockUser(tx, user)
    const removed = await tx.first(sql<{ access: string }>`
      delete from mailbox_access
      where tenant_id = ${tenantId} and mailbox_user_id = ${userId} and mailbox_id = ${mailboxId}
      returning access`)
    if (!removed) throw absent('mailbox user')
    await recordAct(tx, actor, { operation: 'mailboxUser.remove', resourceType: 'mailbox_user', resourceId: userId })
    await removeUser(tx, user, async () => {
      const left = await tx.first(sql<{ mailboxId: Uuid }>`
        select mailbox_id as "mailboxId" from mailbox_access
        where tenant_id = ${tenantId} and mailbox_user_id = ${userId} limit 1`)
      return left === undefined
    })
  })
}
