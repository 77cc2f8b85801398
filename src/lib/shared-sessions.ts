// Finds out whether a connection is a session of the server, on which settings, locks, listening and prepared statements
// stand. A pooler that lends a session for each transaction breaks that.
import type { Database } from './sql.ts'

const ANSWER_WITHIN_MS = 5_000

/**
 * True when one connection is served by another session while a transaction of a second connection keeps the first one
 * busy. @throws Error when the server cannot be reached
 */
export async function sharesSessions(database: Database): Promise<boolean> {
  const one = await database.connect('mdk looks for a pooler')
  try {
    const other = await database.connect('mdk looks for a pooler')
    try {
      const sessionOf = async (client: typeof one): Promise<number> => {
        // Unnamed: a named statement may not be known to the next session.
        const query = { text: 'select pg_backend_pid() as pid', query_timeout: ANSWER_WITHIN_MS }
        return (await client.query<{ pid: number }>(query)).rows[0]?.pid as number
      }
      const before = await sessionOf(one)
      await other.query('begin')
      await sessionOf(other)
      return (await sessionOf(one)) !== before
    } finally {
      await other.end()
    }
  } finally {
    await one.end()
  }
}
