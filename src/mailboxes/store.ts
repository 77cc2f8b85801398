// The tables of domains and mailboxes. Only this feature writes them.
import type { Principal } from '../http/principal.ts'
import { type Db, sql, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
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
  verified: boolean
  verificationToken: string
}

/** False when the domain is taken, by whichever tenant. */
export async function insertDomain(tx: Tx, domain: NewDomain): Promise<boolean> {
  const rows = await tx.rows(sql<{ id: Uuid }>`
    insert into domains (tenant_id, id, domain, verified, verification_token, health)
    values (${domain.tenantId}, ${domain.id}, ${domain.domain}, ${domain.verified}, ${domain.verificationToken}, 'pending')
    on conflict (domain) do nothing returning id`)
  return rows.length > 0
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
