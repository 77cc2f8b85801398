// What an operator means by an id or by a name. An id always wins; a name will do where only one has it.
import { productionOf, type Realm } from '../access/actor.ts'
import { absent, problem } from '../access/problem.ts'
import { findApps, type ListedApp, realmOfApp } from '../apps/find-apps.ts'
import { findShownKeys, type ShownKey } from '../apps/find-shown-keys.ts'
import { findTenants, type ListedTenant } from '../apps/find-tenants.ts'
import type { Db } from '../lib/sql.ts'
import { harmlessLine } from '../lib/terminal-text.ts'
import { isUuid, type Uuid } from '../lib/uuid.ts'
import { findDomains, type ListedDomain } from '../mailboxes/find-domains.ts'
import { findMailboxes, type ListedMailbox } from '../mailboxes/find-mailboxes.ts'
import { findEndpoints, type NamedEndpoint } from '../webhooks/find-endpoints.ts'

/** Of those that share a name. */
const MOST_SHOWN = 20

/** A tenant, by id or name. @throws Problem not_found, validation_error with all that have the name */
export function theTenant(db: Db, text: string): Promise<ListedTenant> {
  const tell = ({ plan, status, createdAt }: ListedTenant) => `${plan}, ${status}, made ${createdAt.slice(0, 10)}`
  return theOne('tenant', text, {
    withId: (id) => findTenants(db, { id }),
    called: (name) => findTenants(db, { name }),
    tell,
  })
}

/** An application, by id or name. `tenant`: whose it is, by id or name. @throws as theTenant */
export async function theApp(db: Db, text: string, tenant?: string): Promise<ListedApp> {
  const tenantId = tenant === undefined ? undefined : (await theTenant(db, tenant)).id
  return theOne('application', text, {
    withId: (id) => findApps(db, { id, tenantId }),
    called: (name) => findApps(db, { name, tenantId }),
    tell: ({ environment, tenantName }) => `${environment}, of ${tenantName}`,
  })
}

/** Where something is looked for: an application, a tenant, each by id or name. */
export interface Place {
  app?: string
  tenant?: string
}

/** A key, by id, name or beginning. @throws as theTenant */
export async function theKey(db: Db, text: string, { app, tenant }: Place): Promise<ShownKey> {
  const tenantId = tenant === undefined ? undefined : (await theTenant(db, tenant)).id
  const appId = app === undefined ? undefined : (await theApp(db, app, tenant)).id
  return theOne('key', text, {
    withId: (id) => findShownKeys(db, { id, appId, tenantId }),
    called: (name) => findShownKeys(db, { name, appId, tenantId }),
    tell: ({ prefix, appId, revokedAt }) => `${prefix}…, of application ${appId}${revokedAt ? ', revoked' : ''}`,
  })
}

/** A mailbox, by id or address. @throws Problem not_found */
export function theMailbox(db: Db, text: string): Promise<ListedMailbox> {
  return theOne('mailbox', text, {
    withId: (id) => findMailboxes(db, { id }),
    called: (address) => findMailboxes(db, { address }),
    tell: ({ address }) => address,
  })
}

/** A domain, by id or name. @throws as theTenant: those of several tenants may have a name until one is verified */
export function theDomain(db: Db, text: string): Promise<ListedDomain> {
  return theOne('domain', text, {
    withId: (id) => findDomains(db, { id }),
    called: (domain) => findDomains(db, { domain }),
    tell: ({ tenantId, verified }) => `${verified ? 'verified' : 'not verified'}, of tenant ${tenantId}`,
  })
}

/** An endpoint, by id or URL. @throws as theTenant */
export function theEndpoint(db: Db, text: string): Promise<NamedEndpoint> {
  return theOne('endpoint', text, {
    withId: (id) => findEndpoints(db, { id }),
    called: (url) => findEndpoints(db, { url }),
    tell: ({ appId }) => `of application ${appId}`,
  })
}

interface Search<T> {
  withId(id: Uuid): Promise<T[]>
  called(name: string): Promise<T[]>
  /** What tells it from others of its name. */
  tell(found: T): string
}

/** @throws Problem not_found, validation_error with all that have the name */
export async function theOne<T extends { id: Uuid }>(noun: string, text: string, search: Search<T>): Promise<T> {
  const byId = isUuid(text)
  const found = await (byId ? search.withId(text.toLowerCase()) : search.called(text))
  const [one] = found
  if (!one) throw byId ? absent(noun) : problem('not_found', { message: `There is no ${noun} "${text}".` })
  if (found.length === 1) return one
  const lines = found.slice(0, MOST_SHOWN).map((each) => `  ${each.id}  ${harmlessLine(search.tell(each))}`)
  if (found.length > MOST_SHOWN) lines.push(`  and ${found.length - MOST_SHOWN} more`)
  throw problem('validation_error', {
    message: [`"${text}" is the name of ${found.length} ${noun}s; give the id of one:`, ...lines].join('\n'),
  })
}

/** Whose data a list is to show: an application's or a tenant's production. @throws as theTenant, validation_error for neither */
export async function theRealm(db: Db, place: Place): Promise<Realm> {
  if (place.app !== undefined) return realmOfApp(await theApp(db, place.app, place.tenant))
  if (place.tenant === undefined)
    throw problem('validation_error', { message: 'Give --tenant, or --app for a sandbox.' })
  return productionOf((await theTenant(db, place.tenant)).id)
}
