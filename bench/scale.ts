// What a page of messages, a page of the feed and a claim cost among many rows beside what they cost among few, taken in
// turns in one run. The figures are ratios of medians.
import { operatorIn, type TenantOperator } from '../src/access/actor.ts'
import { readFeed } from '../src/events/feed.ts'
import { claimJobs, NO_LANE } from '../src/lib/queue/claim-jobs.ts'
import { settleJobs } from '../src/lib/queue/settle-jobs.ts'
import { type Database, openDatabase } from '../src/lib/sql.ts'
import { listMessages } from '../src/messages/list-messages.ts'
import { NEWEST } from '../src/messages/page-cursor.ts'
import { createTestTenant } from '../test/support/tenant.ts'
import type { Sizes } from './sizes.ts'
import { median, ratio } from './statistics.ts'

export interface ScaleFigures {
  page_cost_1e6_over_1e4: number
  mailbox_page_cost_1e6_over_1e4: number
  failed_page_cost_1e6_over_1e4: number
  recipient_page_cost_1e6_over_1e4: number
  feed_cost_1e6_over_1e4: number
  claim_cost_1e6_over_1e4: number
}

const PAGE = 25
const FEED_PAGE = 100
const CLAIMED = 64

/** `few` and `many` rows, each measured `times` times. */
export async function benchScale(url: string, { few, many, times }: Sizes['scale']): Promise<ScaleFigures> {
  const database = openDatabase({ url, connections: 2 })
  try {
    const small = await fill(database, few)
    const large = await fill(database, many)
    await database.pool.query('vacuum analyze')
    const micros = () => ({ micros: (1_767_225_600 + Math.floor(Math.random() * small.seconds)) * 1e6, seq: 0 })
    return {
      page_cost_1e6_over_1e4: await costRatio(times, small, large, (rows) =>
        listMessages(database, rows.actor, micros(), PAGE),
      ),
      mailbox_page_cost_1e6_over_1e4: await costRatio(times, small, large, (rows) =>
        listMessages(database, rows.actor, micros(), PAGE, { mailboxId: rows.mailboxId }),
      ),
      failed_page_cost_1e6_over_1e4: await costRatio(times, small, large, (rows) =>
        listMessages(database, rows.actor, NEWEST, PAGE, { status: 'failed' }),
      ),
      recipient_page_cost_1e6_over_1e4: await costRatio(times, small, large, (rows) =>
        listMessages(database, rows.actor, NEWEST, PAGE, { recipient: 'nobody@example.test' }),
      ),
      feed_cost_1e6_over_1e4: await costRatio(times, small, large, async (rows) => {
        const after = { ...rows.begin, seq: rows.begin.seq + Math.floor(Math.random() * (few - FEED_PAGE)) }
        const { items } = await readFeed(database, rows.actor, after, FEED_PAGE)
        if (items.length < FEED_PAGE) throw new Error(`the feed gave ${items.length} of ${FEED_PAGE} events`)
      }),
      claim_cost_1e6_over_1e4: await claimRatio(database, times, small.queue, large.queue),
    }
  } finally {
    await database.end()
  }
}

interface Rows {
  actor: TenantOperator
  mailboxId: string
  queue: string
  /** Seconds over which the messages lie. */
  seconds: number
  /** The feed's place before the first event. */
  begin: { epoch: number; xid: string; seq: number; sinceMicros: number }
}

/** As many messages, entries, events and jobs of a tenant of their own, and a hundredth as many messages that have failed; without the triggers, which measure nothing here. */
async function fill(database: Database, count: number): Promise<Rows> {
  const { tenantId, mailboxId } = await createTestTenant(database)
  const queue = `bench ${count}`
  const client = await database.pool.connect()
  try {
    await client.query('set session_replication_role = replica')
    let begin: Rows['begin'] | undefined
    for (let first = 1; first <= count; first += FILLED_AT_ONCE) {
      const last = Math.min(count, first + FILLED_AT_ONCE - 1)
      await client.query(MESSAGES, [tenantId, mailboxId, first, last])
      await client.query(FAILED, [tenantId, mailboxId, first, last])
      const { rows } = await client.query(EVENTS, [tenantId, first, last])
      begin ??= {
        epoch: rows[0].epoch as number,
        xid: rows[0].xid as string,
        seq: (rows[0].seq as number) - 1,
        sinceMicros: 0,
      }
      await client.query(JOBS, [tenantId, queue, first, last])
    }
    if (!begin) throw new RangeError('nothing to fill')
    const actor = operatorIn({ kind: 'operator', account: 'tests' }, { tenantId, environmentId: tenantId })
    return { actor, mailboxId, queue, seconds: count, begin }
  } finally {
    await client.query('reset session_replication_role')
    client.release()
  }
}

/** A statement of more would take longer than the pool lets any. */
const FILLED_AT_ONCE = 50_000

const MESSAGES = `with message as (
    insert into messages (tenant_id, id, environment_id, created_at, direction, from_address, to_addresses,
      cc_addresses, bcc_addresses, subject, preview, received_at)
    select $1, gen_random_uuid(), $1, to_timestamp(1767225600) + n * interval '1 second', 'inbound',
      'a@example.test', '[]', '[]', '[]', 'Subject', 'Preview', clock_timestamp()
    from generate_series($3::bigint, $4::bigint) as n
    returning id, created_at, seq
  )
  insert into message_entries (tenant_id, message_id, mailbox_id, folder, is_read, is_starred, environment_id,
    created_at, seq)
  select $1, m.id, $2, 'inbox', false, false, $1, m.created_at, m.seq from message m`

const FAILED = `with message as (
    insert into messages (tenant_id, id, environment_id, created_at, direction, mailbox_id, app_id, from_address, to_addresses,
      cc_addresses, bcc_addresses, subject, preview)
    select $1, gen_random_uuid(), $1, to_timestamp(1767225600) + n * interval '1 second', 'outbound', $2, $1,
      'a@example.test', '[]', '[]', '[]', 'Subject', 'Preview'
    from generate_series($3::bigint, $4::bigint, 100) as n
    returning id, created_at, seq
  )
  insert into message_states (tenant_id, message_id, status, open, recipients, failed_environment_id, failed_created_at,
    failed_seq)
  select $1, m.id, 'failed', 0, '[]', $1, m.created_at, m.seq from message m`

const EVENTS = `with event as (
    insert into events (tenant_id, environment_id, epoch, id, type, resource_type, resource_id, data, occurred_at)
    select $1, $1, (select epoch from feed_epoch), gen_random_uuid(), 'message.updated', 'message', gen_random_uuid(),
      '{"subject":"Subject"}', clock_timestamp()
    from generate_series($2::bigint, $3::bigint)
    returning epoch, xid::text, seq
  )
  select min(epoch) as epoch, min(xid) as xid, min(seq)::float8 as seq from event`

const JOBS = `insert into jobs (tenant_id, queue, lane, subject_id)
  select $1, $2, md5((n % 100)::text)::uuid, gen_random_uuid() from generate_series($3::bigint, $4::bigint) as n`

/** The median for the many over that for the few. */
async function costRatio<T>(times: number, small: T, large: T, work: (rows: T) => Promise<unknown>): Promise<number> {
  const costs: [number[], number[]] = [[], []]
  for (let i = 0; i < times; i++) {
    for (const [n, rows] of [small, large].entries()) {
      const begin = performance.now()
      await work(rows)
      costs[n]?.push(performance.now() - begin)
    }
  }
  return ratio(median(costs[1]), median(costs[0]))
}

/** What is claimed is given back, untimed, so that each claim finds the same. */
function claimRatio(database: Database, times: number, small: string, large: string): Promise<number> {
  const costs: Record<string, number[]> = { [small]: [], [large]: [] }
  const once = async (queue: string) => {
    const begin = performance.now()
    const jobs = await claimJobs(database, {
      queue,
      limit: CLAIMED,
      laneCap: 1_000,
      receptionBudget: 1_000_000,
      leaseMs: 60_000,
      after: NO_LANE,
    })
    costs[queue]?.push(performance.now() - begin)
    await database.transaction((tx) =>
      settleJobs(
        tx,
        jobs.map((job) => ({ job, how: { kind: 'giveBack' } as const })),
      ),
    )
  }
  return (async () => {
    for (let i = 0; i < times; i++) {
      await once(small)
      await once(large)
    }
    return ratio(median(costs[large] ?? []), median(costs[small] ?? []))
  })()
}
