// Adds a domain to a tenant.
import { randomBytes } from 'node:crypto'
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { invalidField, overCapacity, problem } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { type Database, sql, type Tx } from '../lib/sql.ts'
import { newId, type Uuid } from '../lib/uuid.ts'
import { type DkimKey, sealDkimKey } from './dkim-key.ts'
import { type DnsRecord, recordsFor } from './dns-records.ts'
import { asciiDomain } from './domain-name.ts'
import { isHeldByAnother } from './held-domain.ts'
import { requireTenant } from './require-tenant.ts'

export interface NewDomain {
  domain: string
  /** Whether the operator vouches for it, which verifies it without a record. */
  vouched: boolean
  /** The key that is to sign its mail, and what seals it. Mail of a domain without one goes unsigned. */
  dkim?: { key: DkimKey; secretBox: SecretBox }
  /** False leaves it out of the checks that come round by themselves: no DNS knows the domain. */
  checked?: boolean
}

/** Each is looked up in the DNS every six hours. The operator adds more. specification.md#ownership-of-a-domain */
const MOST_DOMAINS = 100

/**
 * Adds a domain, not checked yet, and gives the records its owner puts into the DNS. One that is verified belongs to one tenant.
 * @throws Problem not_found for the tenant, validation_error for a malformed or taken domain; of people also not_allowed, when
 *   they vouch for it, and plan_capacity_exceeded
 */
export async function addDomain(
  database: Database,
  actor: TenantActor,
  request: NewDomain,
): Promise<{ id: Uuid; records: DnsRecord[] }> {
  assertMay(actor, 'manageDomains')
  const { tenantId } = actor
  const { vouched, checked = true } = request
  if (vouched && actor.kind !== 'operator')
    throw problem('not_allowed', { message: 'Only the operator vouches for a domain.' })
  const domain = asciiDomain(request.domain)
  if (!domain) throw invalidField('domain', `"${request.domain}" is not a domain name`)
  const verificationToken = randomBytes(20).toString('base64url')
  const id = newId()
  const dkim = request.dkim ? sealDkimKey(request.dkim.secretBox, { tenantId, id }, request.dkim.key) : null
  await database.transaction(async (tx) => {
    await requireTenant(tx, tenantId)
    if (actor.kind !== 'operator') await refuseWhenFull(tx, tenantId)
    if (await isHeldByAnother(tx, { tenantId, domain }))
      throw invalidField('domain', `${domain} belongs to another tenant`)
    const added = await tx.first(sql<{ id: Uuid }>`
      insert into domains (tenant_id, id, domain, verified, vouched, verification_token, health, dkim_selector,
        dkim_public_key, dkim_private_key, check_due_at)
      values (${tenantId}, ${id}, ${domain}, ${vouched}, ${vouched}, ${verificationToken}, 'pending',
        ${dkim?.selector ?? null}, ${dkim?.publicKey ?? null}, ${dkim?.sealed ?? null},
        case when ${checked} then clock_timestamp() else 'infinity' end)
      on conflict (tenant_id, domain) do nothing returning id`)
    if (!added) throw invalidField('domain', `${domain} has been added already`)
    await recordAct(tx, actor, { operation: 'domain.add', resourceType: 'domain', resourceId: id })
  })
  return { id, records: recordsFor(domain, verificationToken, dkim) }
}

/** One after the other, so that no two take the last place. */
async function refuseWhenFull(tx: Tx, tenantId: Uuid): Promise<void> {
  await tx.rows(sql`select from tenants where id = ${tenantId} for no key update`)
  const row = await tx.first(sql<{ count: number }>`select count(*) from domains where tenant_id = ${tenantId}`)
  const used = row?.count ?? 0
  if (used < MOST_DOMAINS) return
  throw overCapacity(
    { resource: 'domains', limit: MOST_DOMAINS, used, resetsAt: null },
    `A tenant's people may add ${MOST_DOMAINS} domains. Remove one, or ask whoever runs the service.`,
  )
}
