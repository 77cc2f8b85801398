// Reads what the worker needs of notices, and whether each is still wanted.
import type { Job } from '../lib/queue/job.ts'
import { arrayLiteral, type Db, sql, type Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import type { Notice } from './notice.ts'

export type LoadedNotice = Notice & {
  tenantId: Uuid
  id: Uuid
  /**
   * `ended`: it was mailed or given up. `expired`: its time is over. `unwanted`: whom it was for is no Owner any more, wants
   * none, or is gone, or the tenant is suspended; or there is no such recovery address any more.
   */
  state: 'wanted' | 'unwanted' | 'expired' | 'ended'
  tenantName: string
  createdAt: Timestamp
  /** Where it goes; null when the user is gone, or the recovery address. */
  address: string | null
  userKind: 'person' | 'mailbox_user' | null
  /** Of a link. */
  sealedToken: Buffer | null
}

/** What jobs of the queue of notices are about, in their order; undefined where a notice is gone. */
export async function loadNotices(
  db: Db,
  jobs: readonly Pick<Job, 'tenantId' | 'subjectId'>[],
): Promise<(LoadedNotice | undefined)[]> {
  const rows = await db.rows(sql<LoadedNotice>`
    select n.tenant_id as "tenantId", n.id, n.kind, n.facts, n.created_at as "createdAt", t.name as "tenantName",
      case when n.kind in ('recovery_address', 'recovery_reset') then r.address else coalesce(n.facts ->> 'to', u.login) end as address,
      u.kind as "userKind", n.sealed_token as "sealedToken",
      case when n.status <> 'waiting' then 'ended'
        when n.expires_at <= clock_timestamp() then 'expired'
        when t.status <> 'active' or u.id is null then 'unwanted'
        when n.kind in ('recovery_address', 'recovery_reset') and r.address is null then 'unwanted'
        when n.sealed_token is not null then 'wanted'
        when u.notices and exists (
          select from memberships m
          where m.tenant_id = n.tenant_id and m.person_id = n.user_id and m.role = 'owner' and m.joined_at is not null
        ) then 'wanted'
        else 'unwanted' end as state
    from unnest(${arrayLiteral(jobs.map((job) => job.tenantId))}::uuid[],
      ${arrayLiteral(jobs.map((job) => job.subjectId))}::uuid[]) as j (tenant_id, id)
    join notices n on n.tenant_id = j.tenant_id and n.id = j.id
    join tenants t on t.id = n.tenant_id
    left join users u on u.id = n.user_id
    left join recovery_addresses r on r.tenant_id = n.tenant_id and r.user_id = n.user_id
      and (n.kind = 'recovery_address' or r.verified_at is not null)`)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return jobs.map((job) => byId.get(job.subjectId))
}
