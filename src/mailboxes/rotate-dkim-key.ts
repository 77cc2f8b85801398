// Leads a domain from one DKIM key to the next, a step each time it is asked: makes it, has it sign once the DNS has it, and says
// when the record of the one before may go. May be ended at any moment and run again, also twice at once.
// specification.md#rotation-of-a-dkim-key
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { absent } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { type Database, type Db, sql, type Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { CHECK_WITHIN_MS, type CheckDeps } from './check-domain-now.ts'
import { makeDkimKey, sealDkimKey } from './dkim-key.ts'
import { type DnsRecord, dkimRecord } from './dns-records.ts'
import { checkDomain } from './domain-checks.ts'

/** What a key has signed may be under way, and put off, for 48 hours, and be looked at later. specification.md#rotation-of-a-dkim-key */
const PREVIOUS_DAYS = 7

export type DkimTurn =
  /** Made, and signing nothing: the DNS does not have this record yet, beside the one of the key that signs. */
  | { state: 'prepared'; publish: DnsRecord }
  /** It signs. The record of the one before stays until then; null where there was none. */
  | { state: 'signing'; keep: DnsRecord | null; until: Timestamp }
  /** The record of the one before may go. */
  | { state: 'turned'; remove: DnsRecord | null }

interface Turning {
  domain: string
  verificationToken: string
  next: { selector: string; publicKey: string } | null
  previous: { selector: string; publicKey: string } | null
  previousUntil: Timestamp | null
  isOver: boolean
  isTurning: boolean
}

/** @throws Problem not_found, not_allowed */
export async function rotateDkimKey(
  deps: CheckDeps & { secretBox: SecretBox },
  actor: TenantActor,
  id: Uuid,
): Promise<DkimTurn> {
  assertMay(actor, 'manageDomains')
  const { database, resolver } = deps
  let turning = await readTurning(database, actor.tenantId, id)
  if (!turning.isTurning) {
    await prepare(deps, actor, id)
    turning = await readTurning(database, actor.tenantId, id)
  }
  const { domain, verificationToken, next } = turning
  if (next) {
    const { dkim } = await checkDomain({ domain, verificationToken, dkim: next }, resolver, CHECK_WITHIN_MS)
    if (dkim.status !== 'pass') return { state: 'prepared', publish: dkimRecord(domain, next) }
    await sign(database, actor, id, next.selector)
    turning = await readTurning(database, actor.tenantId, id)
  }
  const before = turning.previous && dkimRecord(domain, turning.previous)
  if (turning.previousUntil !== null && !turning.isOver) {
    return { state: 'signing', keep: before, until: turning.previousUntil }
  }
  await forget(database, actor, id)
  return { state: 'turned', remove: before }
}

async function readTurning(db: Db, tenantId: Uuid, id: Uuid): Promise<Turning> {
  const turning = await db.first(sql<Turning>`
    select d.domain, d.verification_token as "verificationToken", t.domain_id is not null as "isTurning",
      case when t.next_selector is not null
        then json_build_object('selector', t.next_selector, 'publicKey', t.next_public_key) end as next,
      case when t.previous_selector is not null
        then json_build_object('selector', t.previous_selector, 'publicKey', t.previous_public_key) end as previous,
      t.previous_until as "previousUntil", coalesce(t.previous_until <= clock_timestamp(), false) as "isOver"
    from domains d left join dkim_turns t on t.tenant_id = d.tenant_id and t.domain_id = d.id
    where d.tenant_id = ${tenantId} and d.id = ${id}`)
  if (!turning) throw absent('domain')
  return turning
}

/** Of two at once one makes the key that both go on with. */
async function prepare(
  { database, secretBox }: { database: Database; secretBox: SecretBox },
  actor: TenantActor,
  id: Uuid,
): Promise<void> {
  const { selector, publicKey, sealed } = sealDkimKey(secretBox, { tenantId: actor.tenantId, id }, await makeDkimKey())
  await database.transaction(async (tx) => {
    const made = await tx.rows(sql<{ id: Uuid }>`
      insert into dkim_turns (tenant_id, domain_id, next_selector, next_public_key, next_private_key)
      select d.tenant_id, d.id, ${selector}, ${publicKey}, ${sealed} from domains d
      where d.tenant_id = ${actor.tenantId} and d.id = ${id}
      on conflict (tenant_id, domain_id) do nothing returning domain_id as id`)
    if (made.length > 0) await record(tx, actor, id, 'prepared')
  })
}

/** From the next message that is built on. What is built keeps the signature that it has. */
async function sign(database: Database, actor: TenantActor, id: Uuid, selector: string): Promise<void> {
  await database.transaction(async (tx) => {
    const turned = await tx.rows(sql<{ id: Uuid }>`
      with given as (
        select t.tenant_id, t.domain_id, t.next_selector, t.next_public_key, t.next_private_key,
          d.dkim_selector, d.dkim_public_key
        from dkim_turns t join domains d on d.tenant_id = t.tenant_id and d.id = t.domain_id
        where t.tenant_id = ${actor.tenantId} and t.domain_id = ${id} and t.next_selector = ${selector}
        for update
      ),
      signing as (
        update domains d set dkim_selector = g.next_selector, dkim_public_key = g.next_public_key,
          dkim_private_key = g.next_private_key
        from given g where d.tenant_id = g.tenant_id and d.id = g.domain_id
      )
      update dkim_turns t set next_selector = null, next_public_key = null, next_private_key = null,
        previous_selector = g.dkim_selector, previous_public_key = g.dkim_public_key,
        previous_until = clock_timestamp() + make_interval(days => ${PREVIOUS_DAYS})
      from given g where t.tenant_id = g.tenant_id and t.domain_id = g.domain_id
      returning t.domain_id as id`)
    if (turned.length > 0) await record(tx, actor, id, 'signing')
  })
}

async function forget(database: Database, actor: TenantActor, id: Uuid): Promise<void> {
  await database.transaction(async (tx) => {
    const gone = await tx.rows(sql<{ id: Uuid }>`
      delete from dkim_turns
      where tenant_id = ${actor.tenantId} and domain_id = ${id} and previous_until <= clock_timestamp()
      returning domain_id as id`)
    if (gone.length > 0) await record(tx, actor, id, 'turned')
  })
}

function record(tx: Parameters<typeof recordAct>[0], actor: TenantActor, id: Uuid, state: DkimTurn['state']) {
  return recordAct(tx, actor, {
    operation: 'domain.rotate-dkim',
    resourceType: 'domain',
    resourceId: id,
    details: { state },
  })
}
