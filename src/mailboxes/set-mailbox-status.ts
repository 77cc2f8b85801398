// Suspends a mailbox, which then neither sends nor receives and can be read, and ends the suspension.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { absent } from '../access/problem.ts'
import { type Database, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { reportMailbox } from './report-mailbox.ts'
import { lockMailbox } from './stored-mailbox.ts'

/** Succeeds when it is so already, and then reports nothing. @throws Problem not_found */
export async function setMailboxStatus(
  database: Database,
  actor: TenantActor,
  id: Uuid,
  status: 'active' | 'suspended',
): Promise<void> {
  assertMay(actor, 'manageMailboxes')
  await database.transaction(async (tx) => {
    const mailbox = await lockMailbox(tx, actor.tenantId, id)
    if (!mailbox) throw absent('mailbox')
    if (mailbox.status === status) return
    await tx.rows(sql`
      update mailboxes set status = ${status} where tenant_id = ${mailbox.tenantId} and id = ${id}`)
    const changed = { ...mailbox, status }
    if (status === 'suspended') await reportMailbox(tx, actor, changed, 'mailbox.suspended', 'mailbox.suspend')
    else await reportMailbox(tx, actor, changed, 'mailbox.updated', 'mailbox.resume')
  })
}
