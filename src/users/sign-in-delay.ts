// Makes whoever guesses wait, longer with each wrong guess: for an account, from wherever it is tried, and for an address,
// whichever accounts it tries. An account is never locked, so that no stranger keeps its user out for long.
import { hash } from 'node:crypto'
import { type Db, sql, type Tx } from '../lib/sql.ts'

interface Delay {
  /** Wrong guesses that cost nothing. */
  free: number
  /** The wait doubles from one second to this. */
  longestSeconds: number
}

const OF_ACCOUNT: Delay = { free: 5, longestSeconds: 60 }
/** An address may be that of a whole office. */
const OF_ADDRESS: Delay = { free: 20, longestSeconds: 900 }
/** After so long without a wrong guess all are forgotten. */
const FORGOTTEN_AFTER_S = 86_400

export interface Guess {
  key: Buffer
  delay: Delay
}

/** `name` is that of an account, whether there is one or not. */
export function guessOfAccount(kind: string, name: string): Guess {
  return { key: hash('sha256', `account ${kind} ${name}`, 'buffer'), delay: OF_ACCOUNT }
}

/** `network` is an IPv4 address or an IPv6 /64. */
export function guessFromAddress(network: string): Guess {
  return { key: hash('sha256', `address ${network}`, 'buffer'), delay: OF_ADDRESS }
}

/**
 * Counts a guess as wrong before it is looked at, so that guesses that come together are counted too. Gives how many
 * seconds the next may not be made for: 0 when this one may be.
 */
export async function countGuess(tx: Tx, { key, delay }: Guess): Promise<number> {
  const counted = await tx.first(sql<{ failures: number }>`
    insert into sign_in_failures as f (key, failures, last_failed_at) values (${key}, 1, clock_timestamp())
    on conflict (key) do update set
      failures = case when f.last_failed_at < clock_timestamp() - make_interval(secs => ${FORGOTTEN_AFTER_S}) then 1
        else least(f.failures + 1, 1000) end,
      last_failed_at = clock_timestamp()
    where f.last_failed_at + make_interval(secs => case when f.failures < ${delay.free}::integer then 0
      else least(${delay.longestSeconds}::integer, 2 ^ least(f.failures - ${delay.free}::integer, 20)) end) <= clock_timestamp()
    returning f.failures`)
  if (counted) return 0
  const left = await tx.first(sql<{ seconds: number }>`
    select greatest(1, ceil(extract(epoch from last_failed_at - clock_timestamp())
      + least(${delay.longestSeconds}::integer, 2 ^ least(failures - ${delay.free}::integer, 20))))::integer as seconds
    from sign_in_failures where key = ${key}`)
  return left?.seconds ?? 1
}

/** Writes a guess that was counted once more as it is: as much work as a record of one about somebody who is there. */
export async function touchGuess(tx: Tx, { key }: Guess): Promise<void> {
  await tx.rows(sql`update sign_in_failures set last_failed_at = last_failed_at where key = ${key}`)
}

/** A guess was right: of the account nothing is counted any more, of the address one wrong guess less. */
export async function forgiveGuesses(tx: Tx, account: Guess, address: Guess): Promise<void> {
  // In the order in which guesses are counted, so that no two wait for each other.
  await tx.rows(sql`
    update sign_in_failures set failures = failures - 1 where key = ${address.key} and failures > 1`)
  await tx.rows(sql`delete from sign_in_failures where key = ${account.key}`)
}

/** Gives how many rows went. */
export async function sweepSignInFailures(db: Db, limit: number): Promise<number> {
  const rows = await db.rows(sql<{ failures: number }>`
    delete from sign_in_failures where key = any (array(
      select key from sign_in_failures
      where last_failed_at < statement_timestamp() - make_interval(secs => ${FORGOTTEN_AFTER_S})
      order by last_failed_at limit ${limit} for update skip locked))
    returning failures`)
  return rows.length
}
