// Notifies workers that there is work, so that none waits for its next poll: at once within this process, by NOTIFY to
// the others. Never part of a transaction that writes, as NOTIFY puts commits in a
// row, and never needed: polling goes on beneath.
import type pg from 'pg'
import { type Database, sql } from '../sql.ts'
import { newId } from '../uuid.ts'

export interface WakeUps {
  /** Says, after a commit, that a queue has work. */
  wake(queue: string): void
  /** Calls back whenever the queue may have work. Gives what ends it. */
  listen(queue: string, woken: () => void): () => void
  /** Sends what is still to be said, and closes the connection. */
  stop(): Promise<void>
}

const CHANNEL = 'mdk_wake'
/**
 * After a wake-up of a queue went out, those within this time go out as one at its end. Where the queue is also worked in
 * this process, which hears of it at once, the first waits as long as the others.
 */
const REST_MS = 10
const RECONNECT_MS = 500

/** The connection that listens is asked for a sign of life, so that one that died in silence is noticed. */
const HEARTBEAT_EVERY_MS = 15_000

/** Listens on a connection of its own, which it opens again by itself. */
export function createWakeUps(database: Database, onError: (error: unknown) => void): WakeUps {
  /** Says whose a wake-up is: who sent it has called its own listeners already. */
  const self = newId()
  const listeners = new Map<string, Set<() => void>>()
  const resting = new Map<string, { timer: NodeJS.Timeout; again: boolean }>()
  const sending = new Set<Promise<void>>()
  let client: pg.Client | undefined
  let reconnect: NodeJS.Timeout | undefined
  let away = false
  let stopped = false
  let connecting = connect()

  async function connect(): Promise<void> {
    let opened: pg.Client | undefined
    try {
      opened = await database.connect('mdk wake-ups')
      opened.on('error', () => {}) // 'end' follows.
      opened.on('notification', ({ payload = '' }) => {
        const end = payload.indexOf(' ')
        if (payload.slice(0, end) !== self) call(payload.slice(end + 1))
      })
      await opened.query(`listen ${CHANNEL}`)
      opened.on('end', retry)
      client = opened
      away = false
      // Whatever was said while nobody listened.
      for (const queue of listeners.keys()) call(queue)
    } catch (error) {
      opened?.end().catch(() => {})
      // Once, not at every attempt.
      if (!away && !stopped) onError(error)
      away = true
      retry()
    }
  }

  function retry(): void {
    client = undefined
    if (stopped || reconnect) return
    reconnect = setTimeout(() => {
      reconnect = undefined
      connecting = connect()
    }, RECONNECT_MS).unref()
  }

  let answered = true
  const heartbeat = setInterval(() => {
    const asked = client
    if (!asked) return
    // Ending a connection that still owes an answer drops it at once; 'end' follows.
    if (!answered) asked.end().catch(() => {})
    answered = false
    const heard = () => {
      answered = true
    }
    asked.query('select').then(heard, heard)
  }, HEARTBEAT_EVERY_MS).unref()

  function call(queue: string): void {
    for (const woken of listeners.get(queue) ?? []) woken()
  }

  function send(queue: string): void {
    const sent = database.rows(sql`select pg_notify(${CHANNEL}, ${`${self} ${queue}`})::text`).then(
      () => {},
      (error) => {
        // Whoever misses it polls.
        if (!away) onError(error)
      },
    )
    sending.add(sent)
    void sent.finally(() => sending.delete(sent))
  }

  function sendAndRest(queue: string): void {
    send(queue)
    rest(queue, false)
  }

  /** `again`: something is to be said at the end. */
  function rest(queue: string, again: boolean): void {
    const entry = { again, timer: setTimeout(endRest, REST_MS).unref() }
    resting.set(queue, entry)
    function endRest() {
      resting.delete(queue)
      if (entry.again) sendAndRest(queue)
    }
  }

  return {
    wake(queue) {
      call(queue)
      if (stopped) return
      const entry = resting.get(queue)
      if (entry) entry.again = true
      else if (listeners.get(queue)?.size) rest(queue, true)
      else sendAndRest(queue)
    },

    listen(queue, woken) {
      const set = listeners.get(queue) ?? new Set()
      listeners.set(queue, set.add(woken))
      return () => void set.delete(woken)
    },

    async stop() {
      stopped = true
      clearTimeout(reconnect)
      clearInterval(heartbeat)
      // Others are notified of what was given back at the very end.
      for (const [queue, { timer, again }] of resting) {
        clearTimeout(timer)
        if (again) send(queue)
      }
      await Promise.all([connecting, ...sending])
      await client?.end().catch(onError)
    },
  }
}
