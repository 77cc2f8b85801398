// Looks one domain up in the DNS, on command, and records what that makes of it.
import { absent } from '../access/problem.ts'
import type { DnsResolver } from '../lib/resolver.ts'
import type { Database } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { claimCheck } from './claim-checks.ts'
import { checkDomain, type DomainChecks } from './domain-checks.ts'
import type { DomainHealth } from './domain-health.ts'
import { recordCheck } from './record-check.ts'

export interface CheckDeps {
  database: Database
  resolver: Pick<DnsResolver, 'query'>
}

export interface DomainReport {
  verified: boolean
  health: DomainHealth
  checks: DomainChecks
}

/** How long the DNS has for all lookups of one domain. */
export const CHECK_WITHIN_MS = 10_000

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
  const domain = await claimCheck(deps.database, id)
  if (!domain) throw absent('domain')
  const checks = await checkDomain(domain, deps.resolver, withinMs)
  return { ...(await recordCheck(deps.database, domain, checks, operation)), checks }
}
