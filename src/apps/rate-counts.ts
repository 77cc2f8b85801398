// The table of reserved requests: what each window's limit has been given out to processes.
import type { Windows } from '../lib/rate-limiter/rate-ledger.ts'
import { type Db, sql } from '../lib/sql.ts'

export function createRateCounts(db: Db): Windows {
  return {
    // Rows are locked in the order of the key, so that processes wait for each other and never in a circle. A window of
    // which nothing is left is not written.
    async reserve(wishes) {
      const rows = await db.rows(sql<{ granted: number; reserved: number; start_ms: number; left_ms: number }>`
        with moment as materialized (select extract(epoch from clock_timestamp()) * 1000 as ms),
        given as materialized (
          select g.kind, g.subject, g.most, least(g.wanted, g.most) as wanted, g.n, w.start_ms,
            w.start_ms + g."windowMs" - m.ms as left_ms, to_timestamp(w.start_ms / 1000) as window_start
          from rows from (json_to_recordset(${JSON.stringify(wishes)}::json) as (kind text, subject text,
            "windowMs" bigint, most bigint, wanted bigint)) with ordinality
            as g (kind, subject, "windowMs", most, wanted, n)
          cross join moment m
          cross join lateral (select floor(m.ms / g."windowMs") * g."windowMs" as start_ms) w
        ),
        reserved as (
          insert into rate_counts as c (name, subject, window_start, requests, granted, most)
          select g.kind, g.subject, g.window_start, g.wanted, g.wanted, g.most
          from given g order by g.kind, g.subject, g.window_start
          on conflict (name, subject, window_start) do update set
            requests = c.requests + least(excluded.granted, excluded.most - c.requests),
            granted = least(excluded.granted, excluded.most - c.requests), most = excluded.most
          where c.requests < excluded.most
          returning c.name, c.subject, c.requests, c.granted
        )
        select coalesce(r.granted, 0) as granted, coalesce(r.requests, g.most) as reserved,
          g.start_ms::float8 as start_ms, g.left_ms::float8 as left_ms
        from given g
        left join reserved r on r.name = g.kind and r.subject = g.subject
        order by g.n`)
      return rows.map(({ granted, reserved, start_ms: windowStartMs, left_ms: leftMs }) => {
        return { granted, reserved, windowStartMs, leftMs }
      })
    },

    async giveBack(unused) {
      await db.rows(sql`
        with given as materialized (
          select g.kind, g.subject, to_timestamp(g."windowStartMs" / 1000.0) as window_start,
            sum(g.requests) as requests
          from json_to_recordset(${JSON.stringify(unused)}::json) as g (kind text, subject text,
            "windowStartMs" bigint, requests bigint)
          group by g.kind, g.subject, g."windowStartMs"
          order by g.kind, g.subject, g."windowStartMs"
        ),
        locked as materialized (
          select c.name, c.subject, c.window_start, g.requests
          from given g
          cross join lateral (
            select r.name, r.subject, r.window_start from rate_counts r
            where r.name = g.kind and r.subject = g.subject and r.window_start = g.window_start limit 1 for update
          ) c
        )
        update rate_counts c set requests = greatest(0, c.requests - l.requests)
        from locked l
        where c.name = l.name and c.subject = l.subject and c.window_start = l.window_start`)
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
