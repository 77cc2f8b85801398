// Records what a check of a domain found.
import type { TenantActor } from '../access/actor.ts'
import { absent } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import { appendEvents } from '../events/append.ts'
import { databaseTime } from '../lib/database-clock.ts'
import { type Database, sql, type Tx } from '../lib/sql.ts'
import { tellOwners } from '../notices/tell-owners.ts'
import type { ClaimedCheck } from './claim-checks.ts'
import { DOMAIN_CHECKS, type DomainCheck, type DomainChecks } from './domain-checks.ts'
import { type DomainHistory, type DomainState, decideDomain } from './domain-health.ts'
import type { HealthEventData } from './event-data.ts'
import { isHeldByAnother } from './held-domain.ts'

/** specification.md#checks-of-a-domain */
const CHECK_EVERY_SECONDS = 6 * 3600
/** What the DNS did not answer is asked again this soon. */
const ASK_AGAIN_SECONDS = 600

/**
 * Records what a check found, unless a later one has begun, and reports a change of health. `recordedFor`: whose act
 * the check is, if it is one by itself. Gives what became of it, and the checks as they are kept. @throws Problem not_found when the domain went meanwhile
 */
export function recordCheck(
  database: Database,
  domain: ClaimedCheck,
  looked: DomainChecks,
  recordedFor?: TenantActor,
): Promise<DomainState & { checks: DomainChecks }> {
  const answered = DOMAIN_CHECKS.every((name) => looked[name].status !== 'error')
  return database.transaction(async (tx) => {
    const before = await lockDomain(tx, domain)
    if (!before) throw absent('domain')
    if (recordedFor) {
      await recordAct(tx, recordedFor, { operation: 'domain.check', resourceType: 'domain', resourceId: domain.id })
    }
    const isTaken = !before.verified && looked.verification.status === 'pass' && (await isHeldByAnother(tx, domain))
    const checks = isTaken ? taken(looked) : looked
    const after = decideDomain(before, checks)
    if (before.checkRound !== domain.checkRound) return { ...after, checks }
    await saveCheck(tx, domain, { ...after, checks, dueInSeconds: answered ? CHECK_EVERY_SECONDS : ASK_AGAIN_SECONDS })
    if (after.health !== before.health) {
      const data: HealthEventData = {
        domain: domain.domain,
        previous: before.health,
        health: after.health,
        checks: reported(checks),
      }
      await appendEvents(tx, [
        {
          tenantId: domain.tenantId,
          // specification.md#environments: domains' events are production events.
          environmentId: domain.tenantId,
          type: 'domain.health_changed',
          resourceType: 'domain',
          resourceId: domain.id,
          data,
        },
      ])
      if (after.health === 'failing' && before.verified) await tellOfFailure(tx, domain)
    }
    return { ...after, checks }
  })
}

/** The record is there, and somebody else proved to have the name first. */
function taken(checks: DomainChecks): DomainChecks {
  return { ...checks, verification: { ...checks.verification, status: 'wrong', fault: 'taken' } }
}

/** What the contract says of each check. */
function reported(checks: DomainChecks): HealthEventData['checks'] {
  const { mx, spf, dkim, dmarc, verification } = checks
  const of = ({ status, found, expected }: DomainCheck) => ({ status, found, expected })
  return { mx: of(mx), spf: of(spf), dkim: of(dkim), dmarc: of(dmarc), verification: of(verification) }
}

/** Of a domain in use, and once a day at most, however often its health changes. */
async function tellOfFailure(tx: Tx, { tenantId, id, domain }: ClaimedCheck): Promise<void> {
  const occasion = `${id}/${(await databaseTime(tx)).toISOString().slice(0, 10)}`
  await tellOwners(tx, tenantId, { kind: 'domain_failing', facts: { domain }, occasion })
}

/** Locks the domain for the record of its check. */
function lockDomain(
  tx: Tx,
  domain: Pick<ClaimedCheck, 'tenantId' | 'id'>,
): Promise<(DomainHistory & { checkRound: number }) | undefined> {
  return tx.first(sql<DomainHistory & { checkRound: number }>`
    select verified, health, vouched, check_round as "checkRound"
    from domains where tenant_id = ${domain.tenantId} and id = ${domain.id} for update`)
}

async function saveCheck(
  tx: Tx,
  domain: Pick<ClaimedCheck, 'tenantId' | 'id'>,
  result: DomainState & { checks: DomainChecks; dueInSeconds: number },
): Promise<void> {
  await tx.rows(sql`
    update domains set verified = ${result.verified}, health = ${result.health}, checked_at = clock_timestamp(),
      checks = ${JSON.stringify(result.checks)},
      check_due_at = clock_timestamp() + ${result.dueInSeconds} * interval '1 second'
    where tenant_id = ${domain.tenantId} and id = ${domain.id}`)
}
