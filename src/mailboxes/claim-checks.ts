// Begins checks of domains. A check that is begun is counted, so that the latest wins however many run.
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import type { SealedDkimKey } from './dkim-key.ts'
import type { DomainUnderCheck } from './domain-checks.ts'

/** A check that was begun and never recorded is another's after this long. */
const CLAIM_SECONDS = 60

/** A domain whose check has begun. */
export interface ClaimedCheck extends DomainUnderCheck {
  tenantId: Uuid
  id: Uuid
  checkRound: number
  dkim: SealedDkimKey | null
}

/** Begins a check of one domain, unless one began less than `restSeconds` ago. Undefined then, or when the tenant has none of the id. */
export async function claimCheck(
  db: Db,
  { tenantId, id, restSeconds }: { tenantId: Uuid; id: Uuid; restSeconds: number },
): Promise<ClaimedCheck | undefined> {
  const row = await db.first(sql<ClaimedRow>`
    update domains set check_round = check_round + 1, check_begun_at = clock_timestamp(),
      check_due_at = clock_timestamp() + ${CLAIM_SECONDS} * interval '1 second'
    where tenant_id = ${tenantId} and id = ${id}
      and coalesce(check_begun_at, '-infinity') <= clock_timestamp() - ${restSeconds} * interval '1 second'
    returning tenant_id as "tenantId", id, domain, verification_token as "verificationToken",
      check_round as "checkRound", dkim_selector as selector, dkim_public_key as "publicKey",
      dkim_private_key as sealed`)
  return row && claimedFrom(row)
}

/** Begins the checks that are due, the longest due first. None is given to two who ask at once. */
export async function claimDueChecks(db: Db, limit: number): Promise<ClaimedCheck[]> {
  const rows = await db.rows(sql<ClaimedRow>`
    update domains set check_round = check_round + 1, check_begun_at = clock_timestamp(),
      check_due_at = clock_timestamp() + ${CLAIM_SECONDS} * interval '1 second'
    where id in (
      select id from domains where check_due_at <= clock_timestamp()
      order by check_due_at limit ${limit} for update skip locked)
    returning tenant_id as "tenantId", id, domain, verification_token as "verificationToken",
      check_round as "checkRound", dkim_selector as selector, dkim_public_key as "publicKey",
      dkim_private_key as sealed`)
  return rows.map(claimedFrom)
}

interface ClaimedRow extends Omit<ClaimedCheck, 'dkim'> {
  selector: string | null
  publicKey: string | null
  sealed: Buffer | null
}

function claimedFrom({ selector, publicKey, sealed, ...domain }: ClaimedRow): ClaimedCheck {
  const whole = selector !== null && publicKey !== null && sealed !== null
  return { ...domain, dkim: whole ? { selector, publicKey, sealed } : null }
}
