// Lets a process end whose database has fallen silent. Knows nothing of what is waited for.
import type { Database } from './sql.ts'

/** Connections are tried one after the other, each for five seconds. */
const TRIES = 2
/** Of the server, and of one behind a pooler that lets us in. */
const SILENCE = ['timeout expired', 'Query read timeout']

/** Asks a database for a sign of life, and breaks its connections when there is none within ten seconds. True then. */
export async function giveUpSilence(database: Database): Promise<boolean> {
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      const client = await database.connect('mdk asks for a sign of life')
      await client.end()
      return false
    } catch (error) {
      // A refusal is an answer: whoever waits has one as well.
      if (!SILENCE.includes((error as Error).message)) return false
    }
  }
  database.abandon()
  return true
}
