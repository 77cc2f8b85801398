// Leaves a trace of what was done and by whom. That of a send, which only an application asks for,
// stands on its event, message.queued (ADR 32).
import { type Actor, DIRECTORY, type Operator } from '../access/actor.ts'
import { type Db, sql, type Tx } from '../lib/sql.ts'
import { newId, type Uuid } from '../lib/uuid.ts'
import type { AuditedOperation } from './operations.ts'

export interface Act {
  operation: AuditedOperation
  resourceType: string
  resourceId: Uuid | null
  /** Whose the resource is, when the operator acts on no tenant's data. */
  tenantId?: Uuid
  /** What it was asked about, where the rest does not say. Never what is in a message. */
  details?: Readonly<Record<string, unknown>>
}

/** Notes what an actor did, in the transaction that carries it out. */
export async function recordAct(tx: Tx, actor: Actor | Operator, act: Act): Promise<void> {
  const by = columnsOf(actor)
  const tenantId = 'tenantId' in actor ? actor.tenantId : (act.tenantId ?? null)
  await tx.rows(sql`
    insert into audit_log (tenant_id, id, at, app_id, key_id, person_id, mailbox_user_id, actor_name, account, operation,
      resource_type, resource_id, client_address, user_agent, request_id, details)
    values (${tenantId}, ${newId()}, clock_timestamp(), ${by.appId}, ${by.keyId}, ${by.personId}, ${by.mailboxUserId},
      (select u.login from users u where u.tenant_id = ${by.directory} and u.id = ${by.personId ?? by.mailboxUserId}),
      ${by.account}, ${act.operation}, ${act.resourceType}, ${act.resourceId}, ${by.origin?.clientAddress ?? null},
      ${by.origin?.userAgent ?? null}, ${by.origin?.requestId ?? null},
      ${act.details ? JSON.stringify(act.details) : null})`)
}

const NOBODY = {
  appId: null,
  keyId: null,
  personId: null,
  mailboxUserId: null,
  /** Where the user's login is found, which is kept with the act: whoever is gone later is known by it. */
  directory: null,
  account: null,
  origin: null,
}

function columnsOf(actor: Actor | Operator) {
  switch (actor.kind) {
    case 'application':
      return { ...NOBODY, appId: actor.appId, keyId: actor.keyId, origin: actor.origin }
    case 'person':
      return { ...NOBODY, personId: actor.personId, directory: DIRECTORY, origin: actor.origin }
    case 'mailbox_user':
      return { ...NOBODY, mailboxUserId: actor.mailboxUserId, directory: actor.tenantId, origin: actor.origin }
    case 'operator':
      return { ...NOBODY, account: actor.account }
  }
}

/** Whether one of these operations was done within the year to what belonged to the tenant. Reads all its records. */
export async function wasDone(
  db: Db,
  tenantId: Uuid,
  operations: readonly AuditedOperation[],
  resourceId: Uuid,
): Promise<boolean> {
  const row = await db.first(sql`
    select from audit_log
    where tenant_id = ${tenantId} and resource_id = ${resourceId} and operation = any(${operations}::text[]) limit 1`)
  return row !== undefined
}

/**
 * Whose the resource was that one of these operations was done to within the year; undefined when none was. Reads every
 * record: for commands only.
 */
export async function tenantOfAct(
  db: Db,
  operations: readonly AuditedOperation[],
  resourceId: Uuid,
): Promise<Uuid | undefined> {
  const row = await db.first(sql<{ tenantId: Uuid }>`
    select tenant_id as "tenantId" from audit_log
    where resource_id = ${resourceId} and operation = any(${operations}::text[]) limit 1`)
  return row?.tenantId
}
