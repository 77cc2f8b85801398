// Makes a mailbox, which sends and receives as one address.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { invalidField } from '../access/problem.ts'
import { type Database, sql } from '../lib/sql.ts'
import { newId, type Uuid } from '../lib/uuid.ts'
import { checkDisplayName } from './display-name.ts'
import { mailboxAddress } from './mailbox-address.ts'
import { reportMailbox } from './report-mailbox.ts'
import { requireTenant } from './require-tenant.ts'
import type { StoredMailbox } from './stored-mailbox.ts'

/**
 * Makes a mailbox on a verified domain of the tenant and appends mailbox.created. An address belongs to one mailbox.
 * @throws Problem not_found for the tenant, validation_error
 */
export async function createMailbox(
  database: Database,
  actor: TenantActor,
  request: { address: string; displayName: string },
): Promise<{ id: Uuid }> {
  assertMay(actor, 'manageMailboxes')
  const { tenantId } = actor
  const { displayName } = request
  const address = mailboxAddress(request.address)
  if (!address) throw invalidField('address', `"${request.address}" is not an email address`)
  checkDisplayName(displayName)
  const domainName = address.slice(address.lastIndexOf('@') + 1)
  return database.transaction(async (tx) => {
    await requireTenant(tx, tenantId)
    const domain = await tx.first(sql<{ id: Uuid; verified: boolean }>`
      select id, verified from domains where tenant_id = ${tenantId} and domain = ${domainName} for key share`)
    if (!domain) throw invalidField('address', `${domainName} is not a domain of this tenant: add it first`)
    if (!domain.verified) throw invalidField('address', `${domainName} is not verified yet`)
    const mailbox = await tx.first(sql<StoredMailbox>`
      insert into mailboxes (tenant_id, id, domain_id, address, display_name, status)
      values (${tenantId}, ${newId()}, ${domain.id}, ${address}, ${displayName}, 'active')
      on conflict (address) do nothing
      returning tenant_id as "tenantId", id, address, display_name as "displayName", status`)
    if (!mailbox) throw invalidField('address', `${address} exists already`)
    await reportMailbox(tx, actor, mailbox, 'mailbox.created', 'mailbox.create')
    return { id: mailbox.id }
  })
}
