// What a domain's checks make of it. Pure. specification.md#health-of-a-domain
import type { DomainChecks } from './domain-checks.ts'

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
 * Health: a check without an answer says nothing about the domain. When it could make a difference the health stays
 * what it was, so that an outage of the DNS changes nobody's.
 */
export function decideDomain(before: DomainHistory, checks: DomainChecks): DomainState {
  const atBest = healthIf(before, (name) => ['pass', 'error'].includes(checks[name].status))
  const atWorst = healthIf(before, (name) => checks[name].status === 'pass')
  return {
    verified: before.verified || checks.verification.status === 'pass',
    health: atBest === atWorst ? atBest : before.health,
  }
}

function healthIf(before: DomainHistory, passes: (name: keyof DomainChecks) => boolean): DomainHealth {
  // A record that was never there is not gone: until it is, the domain is simply not verified.
  const gone = before.verified && !before.vouched && !passes('verification')
  if (gone || (!passes('spf') && !passes('dkim'))) return 'failing'
  return passes('mx') && passes('spf') && passes('dkim') && passes('dmarc') ? 'healthy' : 'degraded'
}
