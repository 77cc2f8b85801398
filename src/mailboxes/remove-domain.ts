// Takes a domain off a tenant, which may be added anew, by whoever it belongs to then.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { absent, problem } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import { type Database, sql, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** Its key goes with it. @throws Problem not_found; not_allowed while it has mailboxes */
export async function removeDomain(database: Database, actor: TenantActor, id: Uuid): Promise<void> {
  assertMay(actor, 'manageDomains')
  const { tenantId } = actor
  await database.transaction(async (tx) => {
    // Whoever makes a mailbox of it holds it meanwhile: what is counted after the lock is all there is.
    const domain = await tx.first(sql<{ domain: string }>`
      select domain from domains where tenant_id = ${tenantId} and id = ${id} for update`)
    if (!domain) throw absent('domain')
    const mailboxes = await countMailboxes(tx, tenantId, id)
    if (mailboxes > 0) {
      const what = mailboxes === 1 ? 'a mailbox' : `${mailboxes} mailboxes`
      throw problem('not_allowed', {
        message: `${domain.domain} has ${what}, and a domain with mailboxes stays: their mail is signed and received by it.`,
      })
    }
    await tx.rows(sql`delete from domains where tenant_id = ${tenantId} and id = ${id}`)
    await recordAct(tx, actor, { operation: 'domain.remove', resourceType: 'domain', resourceId: id })
  })
}

async function countMailboxes(tx: Tx, tenantId: Uuid, id: Uuid): Promise<number> {
  const row = await tx.first(sql<{ count: number }>`
    select count(*) from mailboxes where tenant_id = ${tenantId} and domain_id = ${id}`)
  return row?.count ?? 0
}
