// Leaves a trace of what was done and by whom. That of a send, which only an application asks for,
// stands on its event, message.queued (ADR 32).
import type { Actor, Operator } from '../access/actor.ts'
import { type Db, sql, type Timestamp, type Tx } from '../lib/sql.ts'
import { newId, type Uuid } from '../lib/uuid.ts'

export interface Act {
  /** The operation's name in the contract, or the command's, as `tenant.suspend`. */
  operation: string
  resourceType: string
  resourceId: Uuid | null
  /** Whose the resource is, when the operator acts on no tenant's data. */
  tenantId?: Uuid
}

/** Notes what an actor did, in the transaction that carries it out. */
export async function recordAct(tx: Tx, actor: Actor | Operator, act: Act): Promise<void> {
  const by = columnsOf(actor)
  const tenantId = 'tenantId' in actor ? actor.tenantId : (act.tenantId ?? null)
  await tx.rows(sql`
    insert into audit_log (tenant_id, id, at, app_id, key_id, person_id, mailbox_user_id, account, operation,
      resource_type, resource_id, client_address, user_agent, request_id)
    values (${tenantId}, ${newId()}, clock_timestamp(), ${by.appId}, ${by.keyId}, ${by.personId}, ${by.mailboxUserId},
      ${by.account}, ${act.operation}, ${act.resourceType}, ${act.resourceId}, ${by.origin?.clientAddress ?? null},
      ${by.origin?.userAgent ?? null}, ${by.origin?.requestId ?? null})`)
}

const NOBODY = { appId: null, keyId: null, personId: null, mailboxUserId: null, account: null, origin: null }

function columnsOf(actor: Actor | Operator) {
  switch (actor.kind) {
    case 'application':
      return { ...NOBODY, appId: actor.appId, keyId: actor.keyId, origin: actor.origin }
    case 'person':
      return { ...NOBODY, personId: actor.personId, origin: actor.origin }
    case 'mailbox_user':
      return { ...NOBODY, mailboxUserId: actor.mailboxUserId, origin: actor.origin }
    case 'operator':
      return { ...NOBODY, account: actor.account }
  }
}

export interface AuditRecord {
  id: Uuid
  at: Timestamp
  by: Actor['kind']
  tenantId: Uuid | null
  /** Of these, what says who it was; the rest is null. */
  appId: Uuid | null
  keyId: Uuid | null
  personId: Uuid | null
  mailboxUserId: Uuid | null
  /** Of the machine, when the operator did it. */
  account: string | null
  operation: string
  resourceType: string
  resourceId: Uuid | null
  clientAddress: string | null
  userAgent: string | null
  requestId: string | null
}

/**
 * Whose the resource was that one of these operations was done to within the year; undefined when none was. Reads every
 * record: for commands only.
 */
export async function tenantOfAct(db: Db, operations: readonly string[], resourceId: Uuid): Promise<Uuid | undefined> {
  const row = await db.first(sql<{ tenantId: Uuid }>`
    select tenant_id as "tenantId" from audit_log
    where resource_id = ${resourceId} and operation = any(${operations}::text[]) limit 1`)
  return row?.tenantId
}

/** The newest records, of one tenant or of all. */
export function listAudit(db: Db, tenantId: Uuid | null, limit: number): Promise<AuditRecord[]> {
  return db.rows(sql<AuditRecord>`
    select r.id, r.at, case when r.app_id is not null then 'application' when r.person_id is not null then 'person'
        when r.mailbox_user_id is not null then 'mailbox_user' else 'operator' end as by, r.tenant_id as "tenantId",
      r.app_id as "appId", r.key_id as "keyId", r.person_id as "personId", r.mailbox_user_id as "mailboxUserId", r.account,
      r.operation, r.resource_type as "resourceType", r.resource_id as "resourceId", r.client_address as "clientAddress",
      r.user_agent as "userAgent", r.request_id as "requestId"
    from (
      (
        select l.id, l.at, l.tenant_id, l.app_id, l.key_id, l.person_id, l.mailbox_user_id, l.account, l.operation,
          l.resource_type, l.resource_id, l.client_address, l.user_agent, l.request_id
        from audit_log l
        where ${tenantId}::uuid is null or l.tenant_id = ${tenantId}
        order by l.at desc, l.id desc limit ${limit}
      )
      union all
      select e.id, e.occurred_at, e.tenant_id, e.app_id, e.key_id, null, null, null, 'sendMessage', e.resource_type,
        e.resource_id, e.client_address, e.user_agent, e.request_id::text
      from tenants t
      cross join lateral (
        select v.id, v.occurred_at, v.tenant_id, v.app_id, v.key_id, v.resource_type, v.resource_id, v.client_address,
          v.user_agent, v.request_id
        from events v where v.tenant_id = t.id and v.key_id is not null
        order by v.occurred_at desc, v.id desc limit ${limit}
      ) e
      where ${tenantId}::uuid is null or t.id = ${tenantId}
    ) r
    order by r.at desc, r.id desc limit ${limit}`)
}

/** How long records are kept. */
export const AUDIT_KEPT_DAYS = 365

/** Removes records past their time. Gives how many went. */
export async function sweepAudit(db: Db, limit: number): Promise<number> {
  const rows = await db.rows(sql<{ id: Uuid }>`
    delete from audit_log where ctid = any (array(
      select ctid from audit_log where at < statement_timestamp() - make_interval(days => ${AUDIT_KEPT_DAYS})
      order by at limit ${limit} for update skip locked))
    returning id`)
  return rows.length
}
