// Looks a domain up in the DNS and records what that makes of it: on command, and for every domain whose turn it is.
// However many processes check, each check that is due is made once and the latest wins.

import { problem } from '../access/problem.ts'
import { recordOperatorAct } from '../audit/record.ts'
import { appendEvents } from '../events/append.ts'
import type { DnsResolver } from '../lib/resolver.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import type { Database } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { resealDkimKey } from './dkim-key.ts'
import { checkDomain, DOMAIN_CHECKS, type DomainChecks } from './domain-checks.ts'
import { type DomainHealth, decideDomain } from './domain-health.ts'
import * as store from './store.ts'

export interface CheckDeps {
  database: Database
  resolver: Pick<DnsResolver, 'query'>
}

export interface DomainReport {
  verified: boolean
  health: DomainHealth
  checks: DomainChecks
}

/** specification.md#checks-of-a-domain */
const CHECK_EVERY_SECONDS = 6 * 3600
/** What the DNS did not answer is asked again this soon. */
const ASK_AGAIN_SECONDS = 600
/** A check that was begun and never recorded is another's after this long. */
const CLAIM_SECONDS = 60
const CHECK_WITHIN_MS = 10_000
const CHECKED_AT_ONCE = 10

/**
 * Checks one domain now, and answers within `withinMs`. `operation`: the operator's command that this is, for the audit
 * log, when it is one by itself.
 * @throws Problem not_found
 */
export async function checkDomainNow(
  deps: CheckDeps,
  id: Uuid,
  { withinMs = CHECK_WITHIN_MS, operation }: { withinMs?: number; operation?: string } = {},
): Promise<DomainReport> {
  const domain = await store.claimCheck(deps.database, id, CLAIM_SECONDS)
  if (!domain) throw problem('not_found', { message: 'There is no such domain.' })
  const checks = await checkDomain(domain, deps.resolver, withinMs)
  return { ...(await record(deps.database, domain, checks, operation)), checks }
}

/**
 * Checks the domains whose turn it is, so many at most. Gives how many it began with; one that fails keeps no other.
 * A key of theirs that an older key of the service sealed is sealed anew. Once `stopping` is aborted nothing more is
 * begun or recorded: what was under way is due again soon.
 */
export async function checkDueDomains(
  deps: CheckDeps & {
    secretBox: SecretBox
    stopping: AbortSignal
    /** Told of each domain whose check could not be made or recorded. */
    onFailure(error: unknown, domain: string): void
  },
  limit: number,
): Promise<number> {
  let begun = 0
  while (begun < limit && !deps.stopping.aborted) {
    const domains = await store.claimDueChecks(deps.database, Math.min(CHECKED_AT_ONCE, limit - begun), CLAIM_SECONDS)
    const results = await Promise.allSettled(
      domains.map(async (domain) => {
        const resealed = resealDkimKey(deps.secretBox, domain)
        if (resealed) await store.saveDkimEnvelope(deps.database, domain, resealed)
        const checks = await checkDomain(domain, deps.resolver, CHECK_WITHIN_MS)
        if (!deps.stopping.aborted) await record(deps.database, domain, checks)
      }),
    )
    for (const [i, result] of results.entries()) {
      if (result.status === 'rejected') deps.onFailure(result.reason, domains[i]?.domain ?? '')
    }
    begun += domains.length
    if (domains.length < CHECKED_AT_ONCE) break
  }
  return begun
}

/** Records what a check found, unless a later one has begun, and tells of a change of health. */
function record(
  database: Database,
  domain: store.ClaimedCheck,
  checks: DomainChecks,
  operation?: string,
): Promise<{ verified: boolean; health: DomainHealth }> {
  const answered = DOMAIN_CHECKS.every((name) => checks[name].status !== 'error')
  return database.transaction(async (tx) => {
    const before = await store.lockDomain(tx, domain)
    if (!before) throw problem('not_found', { message: 'There is no such domain.' })
    if (operation) {
      const { tenantId, id: resourceId } = domain
      await recordOperatorAct(tx, { tenantId, operation, resourceType: 'domain', resourceId })
    }
    const after = decideDomain(before, checks)
    if (before.checkRound !== domain.checkRound) return after
    await store.saveCheck(tx, domain, { ...after, dueInSeconds: answered ? CHECK_EVERY_SECONDS : ASK_AGAIN_SECONDS })
    if (after.health !== before.health) {
      await appendEvents(tx, [
        {
          tenantId: domain.tenantId,
          // specification.md#environments: domains' events are production events.
          environmentId: domain.tenantId,
          type: 'domain.health_changed',
          resourceType: 'domain',
          resourceId: domain.id,
          data: { domain: domain.domain, previous: before.health, health: after.health, checks },
        },
      ])
    }
    return after
  })
}
