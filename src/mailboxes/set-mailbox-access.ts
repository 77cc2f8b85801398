// Lets a mailbox user write in a mailbox, or read there alone. It counts with their next request.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { absent } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import { type Database, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** Succeeds when it is so already, and then records nothing. @throws Problem not_found */
export async function setMailboxAccess(
  database: Database,
  actor: TenantActor,
  { mailboxId, userId, access }: { mailboxId: Uuid; userId: Uuid; access: 'read' | 'write' },
): Promise<void> {
  assertMay(actor, 'manageMailboxUsers')
  const { tenantId } = actor
  await database.transaction(async (tx) => {
    const before = await tx.first(sql<{ access: 'read' | 'write' }>`
      select access from mailbox_access
      where tenant_id = ${tenantId} and mailbox_user_id = ${userId} and mailbox_id = ${mailboxId} for update`)
    if (!before) throw absent('mailbox user')
    if (before.access === access) return
    await tx.rows(sql`
      update mailbox_access set access = ${access}
      where tenant_id = ${tenantId} and mailbox_user_id = ${userId} and mailbox_id = ${mailboxId}`)
    await recordAct(tx, actor, { operation: 'mailboxUser.setAccess', resourceType: 'mailbox_user', resourceId: userId })
  })
}
