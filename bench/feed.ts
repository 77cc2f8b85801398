// How many events a second one reader gets of the feed over HTTP, in pages of 100, each asked for when the one before
// is there and parsed.
import { request } from 'undici'
import { openDatabase } from '../src/lib/sql.ts'
import { createTestTenant } from '../test/support/tenant.ts'
import { startApi } from './api-load.ts'
import type { Sizes } from './sizes.ts'
import { median } from './statistics.ts'

export interface FeedFigures {
  events_per_s: number
}

const PAGE = 100
const FILLED_AT_ONCE = 50_000

/** Reads so many events from the beginning to the end, so many times. `url` is a migrated database. */
export async function benchFeed(url: string, { events, times }: Sizes['feed']): Promise<FeedFigures> {
  const database = openDatabase({ url })
  const api = await startApi(url, 1)
  try {
    const { tenantId, mailboxId, address, key } = await createTestTenant(database)
    for (let left = events; left > 0; left -= FILLED_AT_ONCE) {
      await database.pool.query(EVENTS, [tenantId, mailboxId, address, Math.min(left, FILLED_AT_ONCE)])
    }
    await database.pool.query('vacuum analyze events')
    const base = `http://127.0.0.1:${api.port}/v1/events?limit=${PAGE}`
    const found = await read(base, key)
    if (found < events) throw new Error(`the feed gave ${found} of ${events} events`)
    const rates: number[] = []
    for (let n = 0; n < times; n++) {
      const began = performance.now()
      const count = await read(base, key)
      rates.push((count / (performance.now() - began)) * 1000)
    }
    return { events_per_s: Math.round(median(rates)) }
  } finally {
    api.child.kill('SIGKILL')
    await database.end()
  }
}

/** Gives how many there were. */
async function read(base: string, key: string): Promise<number> {
  let count = 0
  for (let cursor: string | null = ''; cursor !== null; ) {
    const url = cursor === '' ? base : `${base}&cursor=${encodeURIComponent(cursor)}`
    const answer = await request(url, { headers: { authorization: `Bearer ${key}` } })
    const page = (await answer.body.json()) as { items: unknown[]; nextCursor: string | null }
    count += page.items.length
    cursor = page.nextCursor
  }
  return count
}

/** As sent messages leave them. */
const EVENTS = `insert into events (tenant_id, environment_id, epoch, id, type, resource_type, resource_id, data,
    occurred_at)
  select $1::uuid, $1::uuid, (select epoch from feed_epoch), gen_random_uuid(), 'message.sent', 'message', message,
    format('{"mailboxId":"%2$s","direction":"outbound","messageId":"<%1$s@example.test>",'
      '"subject":"Your receipt","from":{"address":"%3$s","name":"Sender"},"to":[{"address":"someone@example.test",'
      '"name":null}],"status":"sent","relayResponse":"250 2.0.0 Ok: queued as 4Zk1"}', message, $2::text, $3::text)::json,
    clock_timestamp()
  from (select gen_random_uuid() as message from generate_series(1, $4::integer)) as n`
