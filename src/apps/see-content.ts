// Whether people see what the messages of their tenant say: text, HTML, source and files (ADR 59). Verbs that give any of it ask here,
// in the transaction in which they read it. specification.md#what-people-see-of-messages
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { problem } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import { type Database, type Db, sql } from '../lib/sql.ts'

/**
 * Lets keys and the operator pass, and people where the tenant lets them see it. The row stays as it is until the transaction
 * ends: whoever has hidden the content was answered after the last look at it was decided.
 * @throws Problem content_hidden
 */
export async function assertSeesContent(db: Db, actor: TenantActor): Promise<void> {
  if (actor.kind !== 'person') return
  const tenant = await db.first(sql<{ isSeen: boolean }>`
    select people_see_content as "isSeen" from tenants where id = ${actor.tenantId} for share`)
  if (!tenant?.isSeen) throw problem('content_hidden')
}

/** From the next request on, of everybody with a role, the actor too. Succeeds when it is so already. @throws Problem not_allowed, sign_in_again */
export async function setContentSeen(database: Database, actor: TenantActor, isSeen: boolean): Promise<void> {
  assertMay(actor, 'showContent')
  const { tenantId } = actor
  await database.transaction(async (tx) => {
    await tx.rows(sql`update tenants set people_see_content = ${isSeen} where id = ${tenantId}`)
    const operation = isSeen ? 'content.show' : 'content.hide'
    await recordAct(tx, actor, { operation, resourceType: 'tenant', resourceId: tenantId })
  })
}
