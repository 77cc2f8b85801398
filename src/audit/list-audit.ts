// Shows what was done and by whom: sends too, whose record stands on their event (ADR 32).
import type { Actor, TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { type Db, sql, type Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

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

/** The newest records of the actor's tenant. */
export async function listAudit(db: Db, actor: TenantActor, limit: number): Promise<AuditRecord[]> {
  assertMay(actor, 'readAudit')
  const rows = await db.rows(sql<Row>`
    (
      select l.id, l.at, l.tenant_id as "tenantId", l.app_id as "appId", l.key_id as "keyId", l.person_id as "personId",
        l.mailbox_user_id as "mailboxUserId", l.account, l.operation, l.resource_type as "resourceType",
        l.resource_id as "resourceId", l.client_address as "clientAddress", l.user_agent as "userAgent",
        l.request_id as "requestId"
      from audit_log l
      where l.tenant_id = ${actor.tenantId}
      order by l.at desc, l.id desc limit ${limit}
    )
    union all
    (
      select e.id, e.occurred_at, e.tenant_id, e.app_id, e.key_id, null, null, null, 'sendMessage', e.resource_type,
        e.resource_id, e.client_address, e.user_agent, e.request_id::text
      from events e
      where e.tenant_id = ${actor.tenantId} and e.key_id is not null
      order by e.occurred_at desc, e.id desc limit ${limit}
    )
    order by at desc, id desc limit ${limit}`)
  return rows.map(recordFrom)
}

/** The newest records of all tenants and of none, for the operator. */
export async function listAuditOfAll(db: Db, limit: number): Promise<AuditRecord[]> {
  const rows = await db.rows(sql<Row>`
    (
      select l.id, l.at, l.tenant_id as "tenantId", l.app_id as "appId", l.key_id as "keyId", l.person_id as "personId",
        l.mailbox_user_id as "mailboxUserId", l.account, l.operation, l.resource_type as "resourceType",
        l.resource_id as "resourceId", l.client_address as "clientAddress", l.user_agent as "userAgent",
        l.request_id as "requestId"
      from audit_log l
      order by l.at at time zone 'UTC' desc, l.id desc limit ${limit}
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
    order by at desc, id desc limit ${limit}`)
  return rows.map(recordFrom)
}

/** The record of the id, whoever's it is, for the operator: all are read for it. */
export async function findAuditRecord(db: Db, id: Uuid): Promise<AuditRecord | undefined> {
  const row = await db.first(sql<Row>`
    select l.id, l.at, l.tenant_id as "tenantId", l.app_id as "appId", l.key_id as "keyId", l.person_id as "personId",
      l.mailbox_user_id as "mailboxUserId", l.account, l.operation, l.resource_type as "resourceType",
      l.resource_id as "resourceId", l.client_address as "clientAddress", l.user_agent as "userAgent",
      l.request_id as "requestId"
    from audit_log l where l.id = ${id}
    union all
    select e.id, e.occurred_at, e.tenant_id, e.app_id, e.key_id, null, null, null, 'sendMessage', e.resource_type,
      e.resource_id, e.client_address, e.user_agent, e.request_id::text
    from events e where e.id = ${id} and e.key_id is not null`)
  return row && recordFrom(row)
}

type Row = Omit<AuditRecord, 'by'>

function recordFrom(row: Row): AuditRecord {
  const { id, at, ...more } = row
  return { id, at, by: kindOf(row), ...more }
}

function kindOf({ appId, personId, mailboxUserId }: Row): AuditRecord['by'] {
  if (appId !== null) return 'application'
  if (personId !== null) return 'person'
  return mailboxUserId === null ? 'operator' : 'mailbox_user'
}
