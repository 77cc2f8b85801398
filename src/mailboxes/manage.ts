// What an operator does with domains and mailboxes. The console will call the same.
import { randomBytes } from 'node:crypto'
import { domainToASCII } from 'node:url'
import { invalidFields, problem } from '../access/problem.ts'
import { recordOperatorAct } from '../audit/record.ts'
import { appendEvents } from '../events/append.ts'
import type { EventType } from '../events/types.ts'
import { isEmailAddress } from '../lib/formats.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { type Database, sql, type Tx } from '../lib/sql.ts'
import { newId, type Uuid } from '../lib/uuid.ts'
import { type DkimKey, sealDkimKey } from './dkim-key.ts'
import { type DnsRecord, recordsFor } from './dns-records.ts'
import * as store from './store.ts'

const DOMAIN = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/

export interface NewDomain {
  tenantId: Uuid
  domain: string
  /** Whether the operator vouches for it, which verifies it without a record. */
  vouched: boolean
  /** The key that is to sign its mail, and what seals it. Mail of a domain without one goes unsigned. */
  dkim?: { key: DkimKey; secretBox: SecretBox }
  /** False leaves it out of the checks that come round by themselves: no DNS knows the domain. */
  checked?: boolean
}

/**
 * Adds a domain, not checked yet, and gives the records its owner puts into the DNS.
 * @throws Problem not_found for the tenant, validation_error for a malformed or taken domain
 */
export async function addDomain(database: Database, request: NewDomain): Promise<{ id: Uuid; records: DnsRecord[] }> {
  const domain = asciiDomain(request.domain)
  if (!domain) throw fault('domain', `"${request.domain}" is not a domain name`)
  const verificationToken = randomBytes(20).toString('base64url')
  const owner = { tenantId: request.tenantId, id: newId() }
  const dkim = request.dkim ? sealDkimKey(request.dkim.secretBox, owner, request.dkim.key) : null
  await database.transaction(async (tx) => {
    await requireTenant(tx, request.tenantId)
    const { vouched, checked = true } = request
    const added = await store.insertDomain(tx, { ...owner, domain, vouched, verificationToken, dkim, checked })
    if (!added) throw fault('domain', `${domain} has been added already`)
    await recordOperatorAct(tx, {
      tenantId: request.tenantId,
      operation: 'domain.add',
      resourceType: 'domain',
      resourceId: owner.id,
    })
  })
  return { id: owner.id, records: recordsFor(domain, verificationToken, dkim) }
}

/**
 * Makes a mailbox on a verified domain of the tenant and appends mailbox.created.
 * @throws Problem not_found for the tenant, validation_error
 */
export async function createMailbox(
  database: Database,
  request: { tenantId: Uuid; address: string; displayName: string },
): Promise<{ id: Uuid }> {
  const address = mailboxAddress(request.address)
  if (!address) throw fault('address', `"${request.address}" is not an email address`)
  checkDisplayName(request.displayName)
  return database.transaction(async (tx) => {
    await requireTenant(tx, request.tenantId)
    const domainName = address.slice(address.lastIndexOf('@') + 1)
    const domain = await store.findDomainByName(tx, request.tenantId, domainName)
    if (!domain) throw fault('address', `${domainName} is not a domain of this tenant: add it first`)
    if (!domain.verified) throw fault('address', `${domainName} is not verified yet`)
    const mailbox = await store.insertMailbox(tx, {
      id: newId(),
      tenantId: request.tenantId,
      domainId: domain.id,
      address,
      displayName: request.displayName,
    })
    if (!mailbox) throw fault('address', `${address} exists already`)
    await tell(tx, mailbox, 'mailbox.created', 'mailbox.create')
    return { id: mailbox.id }
  })
}

/** Suspends or resumes; succeeds when it is so already, and then tells nothing. @throws Problem not_found */
export async function setMailboxStatus(database: Database, id: Uuid, status: 'active' | 'suspended'): Promise<void> {
  await database.transaction(async (tx) => {
    const mailbox = await store.lockMailbox(tx, id)
    if (!mailbox) throw absent()
    if (mailbox.status === status) return
    const changed = { ...mailbox, status }
    await store.saveMailbox(tx, changed)
    if (status === 'suspended') await tell(tx, changed, 'mailbox.suspended', 'mailbox.suspend')
    else await tell(tx, changed, 'mailbox.updated', 'mailbox.resume')
  })
}

/** Changes the display name. @throws Problem not_found, validation_error */
export async function renameMailbox(database: Database, id: Uuid, displayName: string): Promise<void> {
  checkDisplayName(displayName)
  await database.transaction(async (tx) => {
    const mailbox = await store.lockMailbox(tx, id)
    if (!mailbox) throw absent()
    if (mailbox.displayName === displayName) return
    const changed = { ...mailbox, displayName }
    await store.saveMailbox(tx, changed)
    await tell(tx, changed, 'mailbox.updated', 'mailbox.update')
  })
}

/** Mailbox events are production events, whichever environments the tenant has. specification.md#environments */
async function tell(tx: Tx, mailbox: store.StoredMailbox, type: EventType, operation: string): Promise<void> {
  const { tenantId, id, address, displayName, status } = mailbox
  await appendEvents(tx, [
    {
      tenantId,
      environmentId: tenantId,
      type,
      resourceType: 'mailbox',
      resourceId: id,
      data: { address, displayName, status },
    },
  ])
  await recordOperatorAct(tx, { tenantId, operation, resourceType: 'mailbox', resourceId: id })
}

/** The domain in lower case, its labels in ASCII (RFC 5891); undefined when it is none. */
function asciiDomain(text: string): string | undefined {
  const ascii = domainToASCII(text.trim().replace(/\.$/, '')).toLowerCase()
  return DOMAIN.test(ascii) ? ascii : undefined
}

function mailboxAddress(text: string): string | undefined {
  const at = text.lastIndexOf('@')
  const domain = asciiDomain(text.slice(at + 1))
  const address = `${text.slice(0, at).toLowerCase()}@${domain}`
  return domain && isEmailAddress(address) ? address : undefined
}

function checkDisplayName(name: string): void {
  if (name.trim() === '' || name.length > 255 || /\p{Cc}/u.test(name) || !name.isWellFormed()) {
    throw fault('name', 'must have 1 to 255 characters, no control characters among them')
  }
}

async function requireTenant(tx: Tx, id: Uuid): Promise<void> {
  const row = await tx.first(sql<{ id: Uuid }>`select id from tenants where id = ${id}`)
  if (!row) throw problem('not_found', { message: 'There is no such tenant.' })
}

function fault(path: string, message: string) {
  return invalidFields([{ path, code: 'invalid', message }])
}

function absent() {
  return problem('not_found', { message: 'There is no such mailbox.' })
}
