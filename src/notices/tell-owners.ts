// Notes what Owners are to be told, in the transaction that brings it about: nothing waits for the mail, and whether it can
// be sent changes nothing.
import { enqueueJobs } from '../lib/queue/enqueue-jobs.ts'
import { sql, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { NOTICE_GIVEN_UP_S, NOTICE_QUEUE, type OwnerNotice } from './notice.ts'

interface NotedNotice {
  tenantId: Uuid
  id: Uuid
}

/**
 * Tells every Owner of a tenant. `occasion` tells it from others of its kind: nobody is told of the same twice, however many
 * processes find it out. Gives how many will be.
 */
export async function tellOwners(
  tx: Tx,
  tenantId: Uuid,
  { kind, facts, occasion }: OwnerNotice & { occasion: string },
): Promise<number> {
  // In one order, so that two that tell of the same at once wait for one another.
  const noted = await tx.rows(sql<NotedNotice>`
    insert into notices (tenant_id, id, kind, occasion, user_id, facts, expires_at)
    select m.tenant_id, new_uuid(clock_timestamp()), ${kind}, ${occasion}, m.person_id, ${JSON.stringify(facts)},
      clock_timestamp() + make_interval(secs => ${NOTICE_GIVEN_UP_S})
    from memberships m
    where m.tenant_id = ${tenantId} and m.role = 'owner' and m.joined_at is not null
    order by m.person_id
    on conflict (tenant_id, user_id, kind, occasion) do nothing
    returning tenant_id as "tenantId", id`)
  await enqueue(tx, noted)
  return noted.length
}

/** Of a tenant in a day: an Owner's address may be that of somebody else, whom nobody must flood by signing in. specification.md#notices-by-mail */
const MOST_OF_OWN_A_DAY = 100

/**
 * Tells a person of what is theirs, if they are an Owner: as one of the tenant that they have been in for longest, and not
 * of more than the tenant may be told of in a day.
 */
export async function tellOwner(
  tx: Tx,
  personId: Uuid,
  { kind, facts, occasion }: OwnerNotice & { occasion: string },
): Promise<void> {
  const noted = await tx.rows(sql<NotedNotice>`
    insert into notices (tenant_id, id, kind, occasion, user_id, facts, expires_at)
    select m.tenant_id, new_uuid(clock_timestamp()), ${kind}, ${occasion}, m.person_id, ${JSON.stringify(facts)},
      clock_timestamp() + make_interval(secs => ${NOTICE_GIVEN_UP_S})
    from memberships m join tenants t on t.id = m.tenant_id
    where m.person_id = ${personId} and m.role = 'owner' and m.joined_at is not null and t.status = 'active'
      and ${MOST_OF_OWN_A_DAY}::integer > (
        select count(*) from notices n
        where n.tenant_id = m.tenant_id and n.kind = ${kind} and n.created_at > clock_timestamp() - interval '1 day')
    order by m.joined_at, m.tenant_id limit 1
    on conflict (tenant_id, user_id, kind, occasion) do nothing
    returning tenant_id as "tenantId", id`)
  await enqueue(tx, noted)
}

async function enqueue(tx: Tx, noted: readonly NotedNotice[]): Promise<void> {
  const jobs = noted.map(({ tenantId, id }) => ({ tenantId, queue: NOTICE_QUEUE, lane: tenantId, subjectId: id }))
  await enqueueJobs(tx, jobs)
}
