// The table of counted requests.
import type { Counts } from '../http/rate-ledger.ts'
import { type Db, sql } from '../lib/sql.ts'

export function createRateCounts(db: Db): Counts {
  return {
    async add(rows) {
      const given = rows.map(({ kind, subject, windowStartMs, requests }) => ({
        name: kind,
        subject,
        windowStart: new Date(windowStartMs).toISOString(),
        requests,
      }))
      // In the order of the key, so that processes wait for each other and never in a circle.
      const saved = await db.rows(sql<{ n: number; requests: number; now_ms: number }>`
        with given as materialized (
          select g.name, g.subject, g."windowStart" as window_start, g.requests, g.n
          from rows from (json_to_recordset(${JSON.stringify(given)}::json) as (name text, subject text,
            "windowStart" timestamptz, requests bigint)) with ordinality as g (name, subject, "windowStart", requests, n)
        ),
        saved as (
          insert into rate_counts as c (name, subject, window_start, requests)
          select g.name, g.subject, g.window_start, g.requests from given g order by g.name, g.subject, g.window_start
          on conflict (name, subject, window_start) do update set requests = c.requests + excluded.requests
          returning c.name, c.subject, c.window_start, c.requests
        )
        select g.n, s.requests, (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms
        from saved s
        join given g on g.name = s.name and g.subject = s.subject and g.window_start = s.window_start
        order by g.n`)
      return { sums: saved.map((row) => row.requests), nowMs: saved[0]?.now_ms ?? Date.now() }
    },
  }
}

/** Windows that are long over. Gives how many went. */
export async function sweepRateCounts(db: Db, limit: number): Promise<number> {
  const rows = await db.rows(sql<{ name: string }>`
    delete from rate_counts where (name, subject, window_start) in (
      select name, subject, window_start from rate_counts
      where window_start < statement_timestamp() - interval '2 minutes'
        and (name <> 'tenant' or window_start < statement_timestamp() - interval '2 days')
      order by window_start limit ${limit} for update skip locked)
    returning name`)
  return rows.length
}
