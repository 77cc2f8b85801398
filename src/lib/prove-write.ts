// Finds out whether a write commits: a server may answer every question and take none, as a standby does, or let each
// commit wait for a synchronous standby that is gone. Knows nothing of tables.
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Database } from './sql.ts'

/** The database answers and takes no writes. The message says what keeps it from that. */
export class WritesFail extends Error {
  override name = 'WritesFail'
}

/**
 * Commits a message in the log that nobody reads, and no row: nothing grows, and nobody waits for anybody else's. One that
 * has not committed in time is cancelled, as its session would otherwise wait for as long as the standby is away.
 * @throws WritesFail, pg.DatabaseError, or Error when the server falls silent
 */
export async function proveWrite(database: Database, withinMs: number): Promise<void> {
  const client = await database.pool.connect()
  let broken: unknown
  try {
    await writeWithin(database, client, withinMs)
  } catch (error) {
    // It leads to what is no primary, or a cancellation may still be on its way to it.
    broken = error
    throw error
  } finally {
    client.release(broken !== undefined)
  }
}

/** The same on a connection of its own, for a database that has nothing yet of what the pool's connections look at. */
export async function proveFirstWrite(database: Database, withinMs: number): Promise<void> {
  const client = await database.connect('mdk tries a write')
  try {
    await writeWithin(database, client, withinMs)
  } finally {
    await client.end()
  }
}

async function writeWithin(database: Database, client: pg.ClientBase, withinMs: number): Promise<void> {
  const { rows } = await client.query<{ pid: number; readOnly: boolean }>(
    `select pg_backend_pid() as pid, current_setting('transaction_read_only')::boolean as "readOnly"`,
  )
  const [session] = rows
  if (!session || session.readOnly) throw new WritesFail('the database is read-only: a standby, or set to be so')
  const waiting = new AbortController()
  const written = client.query("select pg_logical_emit_message(true, 'mdk', 'a write')").then(() => 'written' as const)
  try {
    const late = delay(withinMs, 'late' as const, { signal: waiting.signal, ref: false })
    if ((await Promise.race([written, late])) === 'written') return
    const why = await cancel(database, session.pid)
    await written
    throw new WritesFail(`a write does not commit within ${withinMs / 1000} s: ${why}`)
  } finally {
    waiting.abort()
  }
}

/** Ends what a session waits for. Gives what that is. */
async function cancel(database: Database, pid: number): Promise<string> {
  const client = await database.connect('mdk gives up a write')
  try {
    const { rows } = await client.query<{ event: string | null }>(
      'select wait_event as event, pg_cancel_backend(pid) from pg_stat_activity where pid = $1',
      [pid],
    )
    const event = rows[0]?.event
    return event === 'SyncRep' ? 'no synchronous standby confirms it' : `it waits for ${event ?? 'the server'}`
  } finally {
    await client.end()
  }
}
