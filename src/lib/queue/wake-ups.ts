// Tells workers that there is work, so that none waits for its next poll: at once within this process, by NOTIFY to
// the others. Never part of a transaction that writes (DESIGN 5.12), and never needed: polling goes on beneath.
import type pg from 'pg'
import { type Database, sql } from '../sql.ts'

export interface WakeUps {
  /** Says, after a commit, that a queue has work. */
  wake(queue: string): void
  /** Calls back whenever the queue may have work. Gives what ends it. */
  listen(queue: string, woken: () => void): () => void
  stop(): Promise<void>
}

const CHANNEL = 'mdk_wake'
/** Wake-ups of one queue within this time go out as one. */
const DEBOUNCE_MS = 10
const RECONNECT_MS = 500

export function createWakeUps(database: Database, onError: (error: unknown) => void): WakeUps {
  const listeners = new Map<string, Set<() => void>>()
  const sending = new Map<string, NodeJS.Timeout>()
  let client: pg.Client | undefined
  let reconnect: NodeJS.Timeout | undefined
  let stopped = false
  const connected = connect()

  async function connect(): Promise<void> {
    try {
      const opened = await database.connect('mdk wake-ups')
      if (stopped) return void (await opened.end())
      client = opened
      opened.on('notification', ({ payload }) => call(payload ?? ''))
      opened.on('error', () => {}) // 'end' follows.
      opened.on('end', retry)
      await opened.query(`listen ${CHANNEL}`)
      // Whatever was said while nobody listened.
      for (const queue of listeners.keys()) call(queue)
    } catch (error) {
      if (!stopped) onError(error)
      retry()
    }
  }

  function retry(): void {
    client = undefined
    if (stopped || reconnect) return
    reconnect = setTimeout(() => {
      reconnect = undefined
      void connect()
    }, RECONNECT_MS).unref()
  }

  function call(queue: string): void {
    for (const woken of listeners.get(queue) ?? []) woken()
  }

  return {
    wake(queue) {
      call(queue)
      if (stopped || sending.has(queue)) return
      const timer = setTimeout(() => {
        sending.delete(queue)
        database.rows(sql`select pg_notify(${CHANNEL}, ${queue})::text`).catch(onError)
      }, DEBOUNCE_MS)
      sending.set(queue, timer.unref())
    },

    listen(queue, woken) {
      const set = listeners.get(queue) ?? new Set()
      listeners.set(queue, set.add(woken))
      return () => void set.delete(woken)
    },

    async stop() {
      stopped = true
      clearTimeout(reconnect)
      for (const timer of sending.values()) clearTimeout(timer)
      await connected
      await client?.end().catch(onError)
    },
  }
}
