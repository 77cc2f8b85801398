// Carries what is signalled after commits to all processes, so that no worker waits for its next poll: at once within
// this one, by NOTIFY to the others. Never part of a transaction that writes, as NOTIFY puts commits in a row, and never
// needed: polling goes on beneath.
import type pg from 'pg'
import { type Database, sql } from '../sql.ts'
import { newId } from '../uuid.ts'

export interface WakeUps {
  /** Calls `woken` whenever `topic` is signalled in any process, or may have been. Gives what ends it. */
  listen(topic: string, woken: () => void): () => void
  /** Sends what is still to be sent, and closes the connection. */
  stop(): Promise<void>
}

/** Notified with who sent, a blank and the topic. */
export const WAKE_CHANNEL = 'mdk_wake'
/**
 * After a topic was sent, what is signalled of it within this time is sent as one at its end. Where somebody in this
 * process listens to it, who hears at once, the first waits as long as the others.
 */
const REST_MS = 10
const RECONNECT_MS = 500

/** The connection that listens is asked for a sign of life, so that one that died in silence is noticed. */
const HEARTBEAT_EVERY_MS = 15_000

/** Listens on a connection of its own, which it opens again by itself. `onError` is called once for each time it is lost. */
export function createWakeUps(database: Database, onError: (error: unknown) => void): WakeUps {
  /** Says who sent: its own listeners have been called already. */
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
      await opened.query(`listen ${WAKE_CHANNEL}`)
      opened.on('end', retry)
      client = opened
      away = false
      // For whatever was sent while nobody listened.
      for (const topic of listeners.keys()) call(topic)
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

  const unsubscribe = database.onSignal((topic) => {
    call(topic)
    const entry = resting.get(topic)
    if (entry) entry.again = true
    else if (listeners.get(topic)?.size) rest(topic, true)
    else sendAndRest(topic)
  })

  function call(topic: string): void {
    for (const woken of listeners.get(topic) ?? []) woken()
  }

  function send(topic: string): void {
    const sent = database.rows(sql`select pg_notify(${WAKE_CHANNEL}, ${`${self} ${topic}`})::text`).then(
      () => {},
      (error) => {
        // Whoever misses it polls.
        if (!away) onError(error)
      },
    )
    sending.add(sent)
    void sent.finally(() => sending.delete(sent))
  }

  function sendAndRest(topic: string): void {
    send(topic)
    rest(topic, false)
  }

  /** `again`: something is to be sent at the end. */
  function rest(topic: string, again: boolean): void {
    const entry = { again, timer: setTimeout(endRest, REST_MS).unref() }
    resting.set(topic, entry)
    function endRest() {
      resting.delete(topic)
      if (entry.again) sendAndRest(topic)
    }
  }

  return {
    listen(topic, woken) {
      const set = listeners.get(topic) ?? new Set()
      listeners.set(topic, set.add(woken))
      return () => void set.delete(woken)
    },

    async stop() {
      stopped = true
      unsubscribe()
      clearTimeout(reconnect)
      clearInterval(heartbeat)
      // Others hear of what was given back at the very end.
      for (const [topic, { timer, again }] of resting) {
        clearTimeout(timer)
        if (again) send(topic)
      }
      await Promise.all([connecting, ...sending])
      await client?.end().catch(onError)
    },
  }
}
