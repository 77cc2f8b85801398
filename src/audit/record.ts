// Leaves a trace of what was done and by whom. Sends write theirs in the statement that accepts them.

import type { Principal } from '../access/principal.ts'
import type { RequestOrigin } from '../access/request-origin.ts'
import { type Db, sql, type Timestamp, type Tx } from '../lib/sql.ts'
import { newId, type Uuid } from '../lib/uuid.ts'

export interface OperatorAct {
  tenantId: Uuid | null
  /** The command, as `tenant.suspend`. */
  operation: string
  resourceType: string
  resourceId: Uuid | null
}

/** Notes a command of the operator, in the transaction that carries it out. */
export async function recordOperatorAct(tx: Tx, act: OperatorAct): Promise<void> {
  await tx.rows(sql`
    insert into audit_log (tenant_id, id, at, operation, resource_type, resource_id)
    values (${act.tenantId}, ${newId()}, clock_timestamp(), ${act.operation}, ${act.resourceType}, ${act.resourceId})`)
}

export interface Act {
  /** The operation's name in the contract. */
  operation: string
  resourceType: string
  resourceId: Uuid | null
}

/** Notes a write of the API, in the transaction that carries it out. */
export async function recordAct(tx: Tx, principal: Principal, origin: RequestOrigin, act: Act): Promise<void> {
  await tx.rows(sql`
    insert into audit_log (tenant_id, id, at, app_id, key_id, operation, resource_type, resource_id, client_address,
      user_agent, request_id)
    values (${principal.tenantId}, ${newId()}, clock_timestamp(), ${principal.appId}, ${principal.keyId},
      ${act.operation}, ${act.resourceType}, ${act.resourceId}, ${origin.clientAddress}, ${origin.userAgent},
      ${origin.requestId})`)
}

export interface AuditRecord {
  id: Uuid
  at: Timestamp
  by: 'application' | 'operator'
  tenantId: Uuid | null
  /** Both null when an operator did it. */
  appId: Uuid | null
  keyId: Uuid | null
  operation: string
  resourceType: string
  resourceId: Uuid | null
  clientAddress: string | null
  userAgent: string | null
  requestId: string | null
}

/** Whether one of these operations was done to the resource within the year. Reads every record: for commands only. */
export async function wasRecorded(db: Db, operations: readonly string[], resourceId: Uuid): Promise<boolean> {
  const row = await db.first(sql<{ id: Uuid }>`
    select id from audit_log where resource_id = ${resourceId} and operation = any(${operations}::text[]) limit 1`)
  return row !== undefined
}

/** The newest records, of one tenant or of all. */
export function listAudit(db: Db, tenantId: Uuid | null, limit: number): Promise<AuditRecord[]> {
  return db.rows(sql<AuditRecord>`
    select id, at, case when key_id is null then 'operator' else 'application' end as by, tenant_id as "tenantId",
      app_id as "appId", key_id as "keyId", operation, resource_type as "resourceType", resource_id as "resourceId",
      client_address as "clientAddress", user_agent as "userAgent", request_id as "requestId"
    from audit_log
    where ${tenantId}::uuid is null or tenant_id = ${tenantId}
    order by at desc, id desc limit ${limit}`)
}

/** How long records are kept. */
const KEPT_DAYS = 365

/** Removes records past their time. Gives how many went. */
export async function sweepAudit(db: Db, limit: number): Promise<number> {
  const rows = await db.rows(sql<{ id: Uuid }>`
    delete from audit_log where ctid = any (array(
      select ctid from audit_log where at < statement_timestamp() - make_interval(days => ${KEPT_DAYS})
      order by at limit ${limit} for update skip locked))
    returning id`)
  return rows.length
}
