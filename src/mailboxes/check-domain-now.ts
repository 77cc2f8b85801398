// Looks one domain up in the DNS, on command or when it is new, and records what that makes of it.
import type { Realm, TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { absent, problem } from '../access/problem.ts'
import type { DnsResolver } from '../lib/resolver.ts'
import { type Database, type Db, sql } from '../lib/sql.ts'
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
/** Long enough for a DNS that works; with one that does not, adding a domain is not held up for long. */
const FIRST_CHECK_WITHIN_MS = 2_000

/** Between two checks that people ask for: whoever presses a button without end asks the DNS no more often. */
const REST_SECONDS = 3

/** Checks one domain now. @throws Problem not_found; rate_limited for a person, where a check of it has just begun */
export function checkDomainNow(deps: CheckDeps, actor: TenantActor, id: Uuid): Promise<DomainReport> {
  assertMay(actor, 'checkDomains')
  const restSeconds = actor.kind === 'operator' ? 0 : REST_SECONDS
  return check(deps, actor, id, { withinMs: CHECK_WITHIN_MS, restSeconds, recordedFor: actor })
}

/** The first look at a domain that has just been added, which is recorded as that. @throws Problem not_found */
export function checkAddedDomain(deps: CheckDeps, actor: TenantActor, id: Uuid): Promise<DomainReport> {
  assertMay(actor, 'manageDomains')
  return check(deps, actor, id, { withinMs: FIRST_CHECK_WITHIN_MS, restSeconds: 0 })
}

async function check(
  { database, resolver }: CheckDeps,
  { tenantId }: Realm,
  id: Uuid,
  { withinMs, restSeconds, recordedFor }: { withinMs: number; restSeconds: number; recordedFor?: TenantActor },
): Promise<DomainReport> {
  const domain = await claimCheck(database, { tenantId, id, restSeconds })
  if (!domain) throw (await isThere(database, tenantId, id)) ? justChecked() : absent('domain')
  const checks = await checkDomain(domain, resolver, withinMs)
  return recordCheck(database, domain, checks, recordedFor)
}

async function isThere(db: Db, tenantId: Uuid, id: Uuid): Promise<boolean> {
  return (await db.first(sql`select from domains where tenant_id = ${tenantId} and id = ${id}`)) !== undefined
}

function justChecked() {
  return problem('rate_limited', {
    message: 'The domain was checked a moment ago. Try again in a few seconds.',
    details: { retryAfterSeconds: REST_SECONDS },
    retryAfterSeconds: REST_SECONDS,
  })
}
