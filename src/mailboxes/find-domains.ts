// Domains as the operator sees them, whoever's they are, with the records that each asks for.
import { type Db, sql, type Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { type DnsRecord, recordsFor } from './dns-records.ts'
import type { DomainHealth } from './domain-health.ts'
import { asciiDomain } from './domain-name.ts'

export interface ListedDomain {
  id: Uuid
  tenantId: Uuid
  domain: string
  verified: boolean
  /** The operator answers for it. */
  vouched: boolean
  health: DomainHealth
  checkedAt: Timestamp | null
  createdAt: Timestamp
  mailboxCount: number
  records: DnsRecord[]
}

type Row = Omit<ListedDomain, 'records'> & {
  verificationToken: string
  dkim: { selector: string; publicKey: string } | null
}

/** Those of the id, of the name and of the tenant, each as far as it is given, by name. */
export async function findDomains(
  db: Db,
  { id, domain, tenantId }: { id?: Uuid; domain?: string; tenantId?: Uuid },
): Promise<ListedDomain[]> {
  const wanted = domain === undefined ? null : (asciiDomain(domain) ?? domain)
  const rows = await db.rows(sql<Row>`
    select d.id, d.tenant_id as "tenantId", d.domain, d.verified, d.vouched, d.health, d.checked_at as "checkedAt",
      d.created_at as "createdAt",
      (select count(*) from mailboxes m where m.tenant_id = d.tenant_id and m.domain_id = d.id) as "mailboxCount",
      d.verification_token as "verificationToken",
      case when d.dkim_selector is not null
        then json_build_object('selector', d.dkim_selector, 'publicKey', d.dkim_public_key) end as dkim
    from domains d
    where (${id ?? null}::uuid is null or d.id = ${id ?? null}) and (${wanted}::text is null or d.domain = ${wanted})
      and (${tenantId ?? null}::uuid is null or d.tenant_id = ${tenantId ?? null})
    order by d.domain`)
  return rows.map(({ verificationToken, dkim, ...shown }) => ({
    ...shown,
    records: recordsFor(shown.domain, verificationToken, dkim),
  }))
}
