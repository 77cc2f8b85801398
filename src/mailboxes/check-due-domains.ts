// Checks every domain whose turn it is. However many processes check, each check that is due is made once.
import { Problem } from '../access/problem.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { type Db, sql } from '../lib/sql.ts'
import { CHECK_WITHIN_MS, type CheckDeps } from './check-domain-now.ts'
import { type ClaimedCheck, claimDueChecks } from './claim-checks.ts'
import { resealDkimKey } from './dkim-key.ts'
import { checkDomain } from './domain-checks.ts'
import { recordCheck } from './record-check.ts'

const CHECKED_AT_ONCE = 10

/**
 * Checks the domains whose turn it is, so many at most. Gives how many it began with; one that fails keeps no other.
 * A key of theirs that an older key of the service sealed is sealed anew. Once `stopping` is aborted nothing more is
 * begun or recorded: what was under way is due again soon.
 */
export async function checkDueDomains(
  deps: CheckDeps & {
    secretBox: SecretBox
    stopping: AbortSignal
    /** Called for each domain whose check could not be made or recorded. */
    onFailure(error: unknown, domain: string): void
  },
  limit: number,
): Promise<number> {
  let begun = 0
  while (begun < limit && !deps.stopping.aborted) {
    const domains = await claimDueChecks(deps.database, Math.min(CHECKED_AT_ONCE, limit - begun))
    const results = await Promise.allSettled(
      domains.map(async (domain) => {
        const resealed = resealDkimKey(deps.secretBox, domain)
        if (resealed) await saveSealedDkimKey(deps.database, domain, resealed)
        const checks = await checkDomain(domain, deps.resolver, CHECK_WITHIN_MS)
        if (!deps.stopping.aborted) await recordCheck(deps.database, domain, checks)
      }),
    )
    for (const [i, result] of results.entries()) {
      if (result.status === 'rejected' && !isRemoved(result.reason))
        deps.onFailure(result.reason, domains[i]?.domain ?? '')
    }
    begun += domains.length
    if (domains.length < CHECKED_AT_ONCE) break
  }
  return begun
}

/** Somebody has removed the domain meanwhile. */
const isRemoved = (reason: unknown) => reason instanceof Problem && reason.code === 'not_found'

/** Unless another key has taken its place meanwhile. */
async function saveSealedDkimKey(db: Db, { tenantId, id, dkim }: ClaimedCheck, sealed: Buffer): Promise<void> {
  await db.rows(sql`
    update domains set dkim_private_key = ${sealed}
    where tenant_id = ${tenantId} and id = ${id} and dkim_private_key = ${dkim?.sealed ?? null}`)
}
