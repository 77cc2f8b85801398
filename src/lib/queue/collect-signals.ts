// Carries what a command signals to the processes that serve, once and at its end: it has no listeners of its own, and ends
// with its work.
import { type Database, sql } from '../sql.ts'
import { newId } from '../uuid.ts'
import { WAKE_CHANNEL } from './wake-ups.ts'

/** Collects the topics from now on. Gives what sends them, which does not fail: whoever misses one polls. */
export function collectSignals(database: Database): () => Promise<void> {
  const topics = new Set<string>()
  const unsubscribe = database.onSignal((topic) => topics.add(topic))
  return async () => {
    unsubscribe()
    if (topics.size === 0) return
    const payloads = [...topics].map((topic) => `${newId()} ${topic}`)
    await database
      .rows(sql`select pg_notify(${WAKE_CHANNEL}, payload)::text from unnest(${payloads}::text[]) as t (payload)`)
      .catch(() => {})
  }
}
