// The domains of a tenant as its people look after them: what the latest check found, and which records they need.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { absent } from '../access/problem.ts'
import { type Db, sql, type Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { type DnsRecord, recordsFor } from './dns-records.ts'
import type { DomainCheck, DomainChecks } from './domain-checks.ts'
import type { DomainHealth } from './domain-health.ts'

export interface ReadDomain {
  id: Uuid
  domain: string
  verified: boolean
  /** The operator answers for it: it needs no verification record. */
  vouched: boolean
  health: DomainHealth
  mailboxCount: number
  checkedAt: Timestamp | null
  /** Null for one that is left out of the checks that come round. */
  nextCheckAt: Timestamp | null
  createdAt: Timestamp
  /** Each with what the latest check made of it; null before the first. */
  records: (DnsRecord & { check: DomainCheck | null })[]
}

/** All of them, by name. */
export function readDomains(db: Db, actor: TenantActor): Promise<ReadDomain[]> {
  assertMay(actor, 'readDomains')
  return find(db, actor.tenantId, null)
}

/** @throws Problem not_found */
export async function readDomain(db: Db, actor: TenantActor, id: Uuid): Promise<ReadDomain> {
  assertMay(actor, 'readDomains')
  const [domain] = await find(db, actor.tenantId, id)
  if (!domain) throw absent('domain')
  return domain
}

type Row = Omit<ReadDomain, 'records'> & {
  verificationToken: string
  dkim: { selector: string; publicKey: string } | null
  checks: DomainChecks | null
}

async function find(db: Db, tenantId: Uuid, id: Uuid | null): Promise<ReadDomain[]> {
  const rows = await db.rows(sql<Row>`
    select d.id, d.domain, d.verified, d.vouched, d.health, d.checked_at as "checkedAt",
      case when isfinite(d.check_due_at) then d.check_due_at end as "nextCheckAt", d.created_at as "createdAt",
      (select count(*) from mailboxes m where m.tenant_id = d.tenant_id and m.domain_id = d.id) as "mailboxCount",
      d.verification_token as "verificationToken",
      case when d.dkim_selector is not null
        then json_build_object('selector', d.dkim_selector, 'publicKey', d.dkim_public_key) end as dkim,
      d.checks
    from domains d
    where d.tenant_id = ${tenantId} and d.id = coalesce(${id}, d.id)
    order by d.domain`)
  return rows.map(({ verificationToken, dkim, checks, ...domain }) => ({
    ...domain,
    records: recordsFor(domain.domain, verificationToken, dkim).map((record) => ({
      ...record,
      check: checks?.[record.purpose] ?? null,
    })),
  }))
}
