// The tables of domains and mailboxes. Only this feature writes them.
import type { Principal } from '../access/principal.ts'
import { type Db, sql, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import type { SealedDkimKey } from './dkim-key.ts'
import type { DomainUnderCheck } from './domain-checks.ts'
import type { DomainHistory, DomainState } from './domain-health.ts'
import type { Domain, Mailbox } from './schemas.ts'

/** The tenant's mailboxes, by address. They belong to the tenant and show in each of its environments. */
export function listMailboxes(db: Db, principal: Principal): Promise<Mailbox[]> {
  return db.rows(sql<Mailbox>`
    select id, address, display_name as "displayName" from mailboxes
    where tenant_id = ${principal.tenantId} order by address`)
}

/** The tenant's domains, by name. */
export function listDomains(db: Db, principal: Principal): Promise<Domain[]> {
  return db.rows(sql<Domain>`
    select d.id, d.domain, d.verified, d.health,
      (select count(*) from mailboxes m where m.tenant_id = d.tenant_id and m.domain_id = d.id) as "mailboxCount"
    from domains d
    where d.tenant_id = ${principal.tenantId} order by d.domain`)
}

export interface NewDomain {
  id: Uuid
  tenantId: Uuid
  domain: string
  /** Whether an operator vouches for it, which verifies it. */
  vouched: boolean
  verificationToken: string
  dkim: SealedDkimKey | null
  checked: boolean
}

/** False when the domain is taken, by whichever tenant. */
export async function insertDomain(tx: Tx, domain: NewDomain): Promise<boolean> {
  const rows = await tx.rows(sql<{ id: Uuid }>`
    insert into domains (tenant_id, id, domain, verified, vouched, verification_token, health, dkim_selector,
      dkim_public_key, dkim_private_key, check_due_at)
    values (${domain.tenantId}, ${domain.id}, ${domain.domain}, ${domain.vouched}, ${domain.vouched},
      ${domain.verificationToken}, 'pending', ${domain.dkim?.selector ?? null}, ${domain.dkim?.publicKey ?? null},
      ${domain.dkim?.envelope ?? null}, case when ${domain.checked} then clock_timestamp() else 'infinity' end)
    on conflict (domain) do nothing returning id`)
  return rows.length > 0
}

/** A domain whose check has begun. */
export interface ClaimedCheck extends DomainUnderCheck {
  tenantId: Uuid
  id: Uuid
  checkRound: number
  dkim: SealedDkimKey | null
}

/** Begins a check of one domain. Undefined when there is none of the id. */
export async function claimCheck(db: Db, id: Uuid, claimSeconds: number): Promise<ClaimedCheck | undefined> {
  const row = await db.first(sql<ClaimedRow>`
    update domains set check_round = check_round + 1,
      check_due_at = clock_timestamp() + ${claimSeconds} * interval '1 second'
    where id = ${id}
    returning tenant_id as "tenantId", id, domain, verification_token as "verificationToken",
      check_round as "checkRound", dkim_selector as selector, dkim_public_key as "publicKey",
      dkim_private_key as envelope`)
  return row && claimedFrom(row)
}

/** Begins the checks that are due, the longest due first. None is given to two who ask at once. */
export async function claimDueChecks(db: Db, limit: number, claimSeconds: number): Promise<ClaimedCheck[]> {
  const rows = await db.rows(sql<ClaimedRow>`
    update domains set check_round = check_round + 1,
      check_due_at = clock_timestamp() + ${claimSeconds} * interval '1 second'
    where id in (
      select id from domains where check_due_at <= clock_timestamp()
      order by check_due_at limit ${limit} for update skip locked)
    returning tenant_id as "tenantId", id, domain, verification_token as "verificationToken",
      check_round as "checkRound", dkim_selector as selector, dkim_public_key as "publicKey",
      dkim_private_key as envelope`)
  return rows.map(claimedFrom)
}

interface ClaimedRow extends Omit<ClaimedCheck, 'dkim'> {
  selector: string | null
  publicKey: string | null
  envelope: Buffer | null
}

function claimedFrom({ selector, publicKey, envelope, ...domain }: ClaimedRow): ClaimedCheck {
  const whole = selector !== null && publicKey !== null && envelope !== null
  return { ...domain, dkim: whole ? { selector, publicKey, envelope } : null }
}

/** Locks the domain for the record of its check. */
export function lockDomain(
  tx: Tx,
  domain: Pick<ClaimedCheck, 'tenantId' | 'id'>,
): Promise<(DomainHistory & { checkRound: number }) | undefined> {
  return tx.first(sql<DomainHistory & { checkRound: number }>`
    select verified, health, vouched, check_round as "checkRound"
    from domains where tenant_id = ${domain.tenantId} and id = ${domain.id} for update`)
}

export async function saveCheck(
  tx: Tx,
  domain: Pick<ClaimedCheck, 'tenantId' | 'id'>,
  result: DomainState & { dueInSeconds: number },
): Promise<void> {
  await tx.rows(sql`
    update domains set verified = ${result.verified}, health = ${result.health}, checked_at = clock_timestamp(),
      check_due_at = clock_timestamp() + ${result.dueInSeconds} * interval '1 second'
    where tenant_id = ${domain.tenantId} and id = ${domain.id}`)
}

export async function saveDkimEnvelope(
  db: Db,
  domain: Pick<ClaimedCheck, 'tenantId' | 'id'>,
  envelope: Buffer,
): Promise<void> {
  await db.rows(sql`
    update domains set dkim_private_key = ${envelope}
    where tenant_id = ${domain.tenantId} and id = ${domain.id} and dkim_private_key is not null`)
}

export function findDomainByName(
  db: Db,
  tenantId: Uuid,
  domain: string,
): Promise<{ id: Uuid; verified: boolean } | undefined> {
  return db.first(sql<{ id: Uuid; verified: boolean }>`
    select id, verified from domains where tenant_id = ${tenantId} and domain = ${domain}`)
}

export interface StoredMailbox extends Mailbox {
  tenantId: Uuid
  status: 'active' | 'suspended'
}

/** Undefined when the address is taken. */
export function insertMailbox(
  tx: Tx,
  mailbox: { id: Uuid; tenantId: Uuid; domainId: Uuid; address: string; displayName: string },
): Promise<StoredMailbox | undefined> {
  return tx.first(sql<StoredMailbox>`
    insert into mailboxes (tenant_id, id, domain_id, address, display_name, status)
    values (${mailbox.tenantId}, ${mailbox.id}, ${mailbox.domainId}, ${mailbox.address}, ${mailbox.displayName}, 'active')
    on conflict (address) do nothing
    returning tenant_id as "tenantId", id, address, display_name as "displayName", status`)
}

/** Locks the mailbox for a change. */
export function lockMailbox(tx: Tx, id: Uuid): Promise<StoredMailbox | undefined> {
  return tx.first(sql<StoredMailbox>`
    select tenant_id as "tenantId", id, address, display_name as "displayName", status
    from mailboxes where id = ${id} for update`)
}

export async function saveMailbox(tx: Tx, mailbox: StoredMailbox): Promise<void> {
  await tx.rows(sql`
    update mailboxes set display_name = ${mailbox.displayName}, status = ${mailbox.status}
    where tenant_id = ${mailbox.tenantId} and id = ${mailbox.id}`)
}
