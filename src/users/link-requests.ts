// How many links may be asked for in an hour, so that nobody's inbox is filled by it. What is counted need not exist: an answer
// is the same for a login that nobody has.
import { hash } from 'node:crypto'
import { type Db, sql, type Tx } from '../lib/sql.ts'

const HOUR_S = 3_600

export interface LinkBound {
  key: Buffer
  /** In an hour from the first. */
  most: number
}

/** specification.md#recovery-addresses. A network may be that of a whole office. */
const MOST = { login: 3, network: 20, user: 5, address: 5 } as const

/** `name`: the login or the address as it is kept, an IPv4 address or an IPv6 /64, the id of a user. */
export function linksOf(kind: keyof typeof MOST, name: string): LinkBound {
  return { key: hash('sha256', `${kind} ${name}`, 'buffer'), most: MOST[kind] }
}

/** Counts one more. False when there were as many already. */
export async function countLinkRequest(tx: Tx, { key, most }: LinkBound): Promise<boolean> {
  const counted = await tx.first(sql<{ requests: number }>`
    insert into link_requests as r (key, requests, since) values (${key}, 1, clock_timestamp())
    on conflict (key) do update set
      requests = case when r.since < clock_timestamp() - make_interval(secs => ${HOUR_S}) then 1 else r.requests + 1 end,
      since = case when r.since < clock_timestamp() - make_interval(secs => ${HOUR_S}) then clock_timestamp() else r.since end
    where r.requests < ${most}::integer or r.since < clock_timestamp() - make_interval(secs => ${HOUR_S})
    returning r.requests`)
  return counted !== undefined
}

/** Gives how many rows went. */
export async function sweepLinkRequests(db: Db, limit: number): Promise<number> {
  const rows = await db.rows(sql<{ requests: number }>`
    delete from link_requests where key = any (array(
      select key from link_requests
      where since < statement_timestamp() - make_interval(secs => ${HOUR_S})
      order by since limit ${limit} for update skip locked))
    returning requests`)
  return rows.length
}
