// What an operator does with plans, tenants, applications and keys. The console will call the same.

import { type Environment, SCOPES, type Scope } from '../access/principal.ts'
import { invalidFields, problem } from '../access/problem.ts'
import { recordOperatorAct } from '../audit/record.ts'
import type { Database } from '../lib/sql.ts'
import { newId, type Uuid } from '../lib/uuid.ts'
import { makeApiKey } from './api-key.ts'
import { hashSecret, secretTag } from './credentials.ts'
import * as store from './store.ts'

/** A century: further back a database has no dates to compare with. */
const MOST_RETENTION_DAYS = 36_500
const PLAN_NAME = /^[a-z0-9][a-z0-9-]{0,62}$/

/**
 * Makes a plan or changes what is named of it; the rest stays, or is unlimited in a new one.
 * @throws Problem validation_error
 */
export async function setPlan(
  database: Database,
  name: string,
  change: Partial<store.PlanLimits>,
): Promise<store.PlanLimits> {
  if (!PLAN_NAME.test(name)) throw fault('name', 'must be lower-case letters, digits and hyphens, 63 at most')
  if ((change.retentionDays ?? 0) > MOST_RETENTION_DAYS) {
    throw fault('retention-days', `must be at most ${MOST_RETENTION_DAYS}; 0 is for ever`)
  }
  return database.transaction(async (tx) => {
    const unlimited = { keyPerMinute: 0, tenantPerDay: 0, messagesPerMonth: 0, storedMib: 0, retentionDays: 0 }
    const limits = { ...((await store.findPlan(tx, name)) ?? unlimited), ...change }
    await store.savePlan(tx, name, limits)
    // A plan has no id: its name is what says which.
    const resourceType = `plan:${name}`
    await recordOperatorAct(tx, { tenantId: null, operation: 'plan.set', resourceType, resourceId: null })
    return limits
  })
}

/** @throws Problem validation_error for an empty name or an unknown plan */
export async function createTenant(database: Database, tenant: { name: string; plan?: string }): Promise<{ id: Uuid }> {
  const { name, plan = 'standard' } = tenant
  checkName(name)
  return database.transaction(async (tx) => {
    if (!(await store.findPlan(tx, plan))) throw fault('plan', `there is no plan "${plan}"`)
    const id = newId()
    await store.insertTenant(tx, { id, name, plan })
    await recordOperatorAct(tx, { tenantId: id, operation: 'tenant.create', resourceType: 'tenant', resourceId: id })
    return { id }
  })
}

/** Succeeds when it is so already. @throws Problem not_found */
export async function setTenantStatus(database: Database, id: Uuid, status: 'active' | 'suspended'): Promise<void> {
  await database.transaction(async (tx) => {
    if (!(await store.setTenantStatus(tx, id, status))) throw absent('tenant')
    const operation = status === 'active' ? 'tenant.resume' : 'tenant.suspend'
    await recordOperatorAct(tx, { tenantId: id, operation, resourceType: 'tenant', resourceId: id })
  })
}

/** @throws Problem not_found, validation_error */
export async function createApp(
  database: Database,
  app: { tenantId: Uuid; name: string; environment: Environment },
): Promise<{ id: Uuid }> {
  checkName(app.name)
  return database.transaction(async (tx) => {
    if (!(await store.tenantExists(tx, app.tenantId))) throw absent('tenant')
    const id = newId()
    await store.insertApp(tx, { ...app, id })
    await recordOperatorAct(tx, {
      tenantId: app.tenantId,
      operation: 'app.create',
      resourceType: 'app',
      resourceId: id,
    })
    return { id }
  })
}

/** Succeeds when it is so already. @throws Problem not_found */
export async function setAppStatus(database: Database, id: Uuid, status: 'active' | 'suspended'): Promise<void> {
  await database.transaction(async (tx) => {
    const tenantId = await store.setAppStatus(tx, id, status)
    if (!tenantId) throw absent('application')
    const operation = status === 'active' ? 'app.resume' : 'app.suspend'
    await recordOperatorAct(tx, { tenantId, operation, resourceType: 'app', resourceId: id })
  })
}

export interface KeyRequest {
  appId: Uuid
  scopes: readonly string[]
  name?: string
  expiresInMs?: number
}

/** Makes a key. Its text is known here and never again. @throws Problem not_found, validation_error */
export async function createKey(database: Database, request: KeyRequest): Promise<{ id: Uuid; key: string }> {
  const scopes = [...new Set(request.scopes)]
  const unknown = scopes.find((scope) => !SCOPES.includes(scope as Scope))
  if (unknown !== undefined) throw fault('scope', `"${unknown}" is none of ${SCOPES.join(', ')}`)
  if (scopes.length === 0) throw fault('scope', 'at least one is needed')
  const app = await store.findApp(database, request.appId)
  if (!app) throw absent('application')

  const key = makeApiKey(app.environment)
  const secretHash = await hashSecret(key.secret)
  const id = newId()
  await database.transaction(async (tx) => {
    await store.insertKey(tx, {
      id,
      tenantId: app.tenantId,
      appId: app.id,
      name: request.name ?? null,
      publicId: key.publicId,
      secretHash,
      secretTag: secretTag(key.secret),
      scopes: scopes as Scope[],
      expiresInSeconds: request.expiresInMs === undefined ? null : request.expiresInMs / 1000,
    })
    await recordOperatorAct(tx, {
      tenantId: app.tenantId,
      operation: 'key.create',
      resourceType: 'key',
      resourceId: id,
    })
  })
  return { id, key: key.text }
}

/** The keys of an application, newest first, without anything secret. @throws Problem not_found */
export async function listKeys(database: Database, appId: Uuid): Promise<store.ListedKey[]> {
  const app = await store.findApp(database, appId)
  if (!app) throw absent('application')
  return store.listKeys(database, app.tenantId, app.id)
}

/** Succeeds when it is so already. @throws Problem not_found */
export async function revokeKey(database: Database, id: Uuid): Promise<void> {
  await database.transaction(async (tx) => {
    const tenantId = await store.revokeKey(tx, id)
    if (!tenantId) throw absent('key')
    await recordOperatorAct(tx, { tenantId, operation: 'key.revoke', resourceType: 'key', resourceId: id })
  })
}

function checkName(name: string): void {
  if (name.trim() === '' || name.length > 255) throw fault('name', 'must have 1 to 255 characters')
}

function fault(path: string, message: string) {
  return invalidFields([{ path, code: 'invalid', message }])
}

function absent(what: string) {
  return problem('not_found', { message: `There is no such ${what}.` })
}
