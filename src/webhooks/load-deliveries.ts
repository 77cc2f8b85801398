// Reads what the worker needs of many deliveries at once: what is sent, where to, and whether it still should be.
import { eventDataText } from '../events/event-text.ts'
import type { Job } from '../lib/queue/job.ts'
import { arrayLiteral, type Db, sql, type Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { type DeliveryStatus, type Timing, WEBHOOK_QUEUE } from './delivery-state.ts'

export interface LoadedDelivery {
  tenantId: Uuid
  id: Uuid
  status: DeliveryStatus
  cycle: number
  attempts: number
  timing: Timing
  /** How long until it is due. */
  dueInMs: number
  eventId: Uuid
  type: string
  /** JSON as it is sent. */
  data: string
  occurredAt: Timestamp
  /** Shared by all deliveries to it that were loaded together. */
  endpoint: LoadedEndpoint
}

export interface LoadedEndpoint {
  id: Uuid
  url: string
  enabled: boolean
  /** How many of its failures were ever counted, as the attempt begins. */
  failuresCounted: number
  /** True while it gets one attempt at a time: it is new, or its last attempt failed. */
  single: boolean
  /** True while nothing is to be posted to it, as an attempt has failed. */
  waiting: boolean
  apiVersion: string
  secret: Uint8Array
  previousSecret: Uint8Array | null
  /** Unix time by the database's clock: receivers refuse what a process whose clock is off would sign. */
  loadedAtSeconds: number
}

/** What says which delivery: its lane is the endpoint. */
type JobOfDelivery = Pick<Job, 'tenantId' | 'id' | 'subjectId' | 'lane'>

/** What jobs of the queue of deliveries are about, in their order; undefined where a delivery is gone, or its endpoint. */
export async function loadDeliveries(db: Db, jobs: readonly JobOfDelivery[]): Promise<(LoadedDelivery | undefined)[]> {
  const [deliveries, endpoints] = await Promise.all([readDeliveries(db, jobs), readEndpoints(db, jobs)])
  return jobs.map(({ tenantId, subjectId, lane }) => {
    const [delivery, endpoint] = [deliveries.get(subjectId), endpoints.get(lane)]
    return delivery && endpoint && Object.assign(delivery, { tenantId, endpoint })
  })
}

// Look-up by look-up, both: a plan that was made while there were few rows would read them all for each job.

async function readDeliveries(db: Db, jobs: readonly JobOfDelivery[]) {
  const rows = await db.rows(sql<
    Omit<LoadedDelivery, 'tenantId' | 'endpoint'> & { resourceType: string; resourceId: Uuid }
  >`
    select d.id, d.status, d.cycle, d.attempts,
      -- The record that waits falls due no sooner than its delivery, unless the clock was put back in between. Of several
      -- that cannot be told apart one is no duplicate. (CASE, so that few look any further.)
      case
        when coalesce(d.next_attempt_at <= clock_timestamp(), true) then 'due'
        when (select j.due_at >= d.next_attempt_at from jobs j where j.tenant_id = d.tenant_id and j.id = n.job_id)
          then 'early'
        when exists (
          select from jobs j
          where j.tenant_id = d.tenant_id and j.queue = ${WEBHOOK_QUEUE} and j.subject_id = d.id
            and coalesce((j.payload ->> 'cycle')::integer, 1) = d.cycle
            and (j.due_at >= d.next_attempt_at and j.id <> n.job_id or j.id < n.job_id)
        ) then 'duplicate'
        else 'early'
      end as timing,
      greatest(0, extract(epoch from d.next_attempt_at - clock_timestamp()) * 1000)::float8 as "dueInMs",
      e.id as "eventId", e.type, e.resource_type as "resourceType", e.resource_id as "resourceId", e.data::text as data,
      e.occurred_at as "occurredAt"
    from unnest(${arrayLiteral(jobs.map((job) => job.tenantId))}::uuid[],
      ${arrayLiteral(jobs.map((job) => job.subjectId))}::uuid[], ${arrayLiteral(jobs.map((job) => job.id))}::bigint[]) as n (tenant_id, id, job_id)
    cross join lateral (
      select d.tenant_id, d.id, d.status, d.cycle, d.attempts, d.next_attempt_at, d.environment_id, d.epoch, d.xid, d.seq
      from webhook_deliveries d where d.tenant_id = n.tenant_id and d.id = n.id offset 0
    ) d
    cross join lateral (
      select e.id, e.type, e.resource_type, e.resource_id, e.data, e.occurred_at from events e
      where e.tenant_id = d.tenant_id and e.environment_id = d.environment_id and e.epoch = d.epoch
        and e.xid = d.xid and e.seq = d.seq
      offset 0
    ) e`)
  return new Map(
    rows.map(({ resourceType, resourceId, ...row }) => [
      row.id,
      { ...row, data: eventDataText(resourceType, resourceId, row.data) },
    ]),
  )
}

async function readEndpoints(db: Db, jobs: readonly JobOfDelivery[]): Promise<Map<Uuid, LoadedEndpoint>> {
  const tenants = new Map(jobs.map(({ lane, tenantId }) => [lane, tenantId]))
  const rows = await db.rows(sql<LoadedEndpoint>`
    select w.id, w.url, w.enabled, w.failures_counted as "failuresCounted", c.waiting is not null as single,
      coalesce(c.waiting, false) as waiting,
      w.api_version as "apiVersion", w.secret,
      case when w.previous_secret_until > clock_timestamp() then w.previous_secret end as "previousSecret",
      extract(epoch from clock_timestamp())::float8 as "loadedAtSeconds"
    from unnest(${[...tenants.values()]}::uuid[], ${[...tenants.keys()]}::uuid[]) as n (tenant_id, id)
    cross join lateral (
      select w.tenant_id, w.id, w.url, w.enabled, w.failures_counted, w.api_version, w.secret, w.previous_secret,
        w.previous_secret_until
      from webhook_endpoints w where w.tenant_id = n.tenant_id and w.id = n.id and w.deleted_at is null offset 0
    ) w
    left join lateral (
      select exists (
        select from held_lanes h
        where h.tenant_id = w.tenant_id and h.queue = ${WEBHOOK_QUEUE} and h.lane = w.id
          and h.held_until > clock_timestamp()
      ) as waiting
      from lane_caps c where c.tenant_id = w.tenant_id and c.queue = ${WEBHOOK_QUEUE} and c.lane = w.id
      offset 0
    ) c on true`)
  return new Map(rows.map((row) => [row.id, row]))
}
