// What a domain's checks make of it. Pure. DECISIONS "Domains".
import { DOMAIN_CHECKS, type DomainChecks } from './domain-checks.ts'

export type DomainHealth = 'pending' | 'healthy' | 'degraded' | 'failing'

export interface DomainState {
  verified: boolean
  health: DomainHealth
}

export interface DomainHistory extends DomainState {
  /** Whether an operator vouched for the domain, which then needs no verification record. */
  vouched: boolean
}

/**
 * The state of a domain after its checks.
 *
 * Verified: from the first time that the record is found. A record gone since makes the domain fail, for somebody
 * has to look; it takes nothing away from the tenant, for that may be a slip in a zone file.
 *
 * Health: a check without an answer says nothing about the domain, so with any such check the health stays what it
 * was, and an outage of the DNS changes nobody's.
 */
export function decideDomain(before: DomainHistory, checks: DomainChecks): DomainState {
  return {
    verified: before.verified || checks.verification.status === 'pass',
    health: decideHealth(before, checks),
  }
}

function decideHealth(before: DomainHistory, checks: DomainChecks): DomainHealth {
  if (DOMAIN_CHECKS.some((name) => checks[name].status === 'error')) return before.health
  const passes = (name: keyof DomainChecks) => checks[name].status === 'pass'
  if (!before.vouched && !passes('verification')) return 'failing'
  if (!passes('spf') && !passes('dkim')) return 'failing'
  return passes('mx') && passes('spf') && passes('dkim') && passes('dmarc') ? 'healthy' : 'degraded'
}
