// Shows what was done and by whom: sends too, whose record stands on their event (ADR 32).
import type { Actor, Operator, TenantActor } from '../access/actor.ts'
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

/** The newest records: of the actor's tenant, or, for the operator at no tenant's data, of all. */
export async function listAudit(db: Db, actor: TenantActor | Operator, limit: number): Promise<AuditRecord[]> {
  const tenantId = 'tenantId' in actor ? actor.tenantId : null
  if ('tenantId' in actor) assertMay(actor, 'readAudit')
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
