// Follows the logs of all environments as they grow, and looks through what mailboxes had before somebody read them: woken after commits, of other processes too, with a poll beneath. Each
// look is rested from, so that following costs the database a share of its time and no more.
import { setTimeout as delay } from 'node:timers/promises'
import type { Realm } from '../../access/actor.ts'
import { findLogsBehind } from '../../activity/find-logs-behind.ts'
import { followLogs, MOST_LOGS } from '../../activity/follow-logs.ts'
import { walkMailboxes } from '../../activity/walk-mailboxes.ts'
import { EVENTS_TOPIC } from '../../events/append.ts'
import type { WakeUps } from '../../lib/queue/wake-ups.ts'
import { type Database, isUnavailable, ranOutOfTime } from '../../lib/sql.ts'

export interface ActivityDeps {
  database: Database
  wakeUps: Pick<WakeUps, 'listen'>
  /** Called once for each time that the database is away. */
  onAway(error: unknown): void
  /** Called when one log cannot be followed, which holds up no other. */
  onError(error: unknown, log: Realm): void
}

/** A commit that nobody signalled is found within this time. */
const POLL_MS = 1_000
/** Between two looks, at least: what is committed meanwhile is followed together. */
const REST_MS = 250
/** For so long what mailboxes had before is looked through, between two looks at the logs, unless something happens. */
const WALK_MS = 1_000
/** So many times as long as a look for what there is takes is rested from it. */
const REST_OF_LOOK = 9

/** Starts at once and goes on until it is stopped. */
export function startFollowing(deps: ActivityDeps): { stop(): Promise<void> } {
  const { database } = deps
  const stopping = new AbortController()
  const { signal } = stopping
  let isAway = false
  let isWoken = false
  let wake = () => {}
  const unlisten = deps.wakeUps.listen(EVENTS_TOPIC, () => {
    isWoken = true
    wake()
  })

  async function run(): Promise<void> {
    while (!signal.aborted) {
      isWoken = false
      const { restMs, isDone } = await pass().catch((error: unknown) => {
        if (!isAway && !signal.aborted) deps.onAway(error)
        isAway = true
        return { restMs: POLL_MS, isDone: false }
      })
      await delay(restMs, undefined, { signal }).catch(() => {})
      if (isDone) await wokenWithin(POLL_MS)
    }
  }

  /** Looks for what there is, and takes each log a piece further. @throws when the database is away */
  async function pass(): Promise<{ restMs: number; isDone: boolean }> {
    const beganMs = performance.now()
    const behind = await findLogsBehind(database)
    const lookedMs = performance.now() - beganMs
    isAway = false
    const ready = behind.filter((log) => log.isReady)
    let hasMore = ready.length < behind.length
    for (let i = 0; i < ready.length && !signal.aborted; i += MOST_LOGS) {
      hasMore = (await followTogether(ready.slice(i, i + MOST_LOGS))) || hasMore
    }
    const until = performance.now() + WALK_MS
    const isOver = () => isWoken || signal.aborted || performance.now() > until
    for (let hasWalked = true; hasWalked && !isOver(); ) {
      const walk = await walkMailboxes(database, { isStopped: isOver, onError: deps.onError })
      hasWalked = walk.hasWalked
      if (!walk.isDone) hasMore = true
    }
    return { restMs: Math.max(REST_MS, REST_OF_LOOK * lookedMs), isDone: !hasMore }
  }

  /** One of them that cannot be followed is found out, and the others go on. */
  async function followTogether(logs: readonly Realm[]): Promise<boolean> {
    try {
      return await followLogs(database, logs)
    } catch (error) {
      if (isUnavailable(error) && !ranOutOfTime(error)) throw error
      if (logs.length === 1) {
        // Somebody ends a message of it at this moment.
        if (!ranOutOfTime(error)) deps.onError(error, logs[0] as Realm)
        return true
      }
      for (const log of logs) await followTogether([log])
      return true
    }
  }

  /** Waits to be woken, unless that has happened. */
  async function wokenWithin(ms: number): Promise<void> {
    if (isWoken || signal.aborted) return
    await new Promise<void>((resolve) => {
      const limit = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(limit)
        resolve()
      }
    })
    wake = () => {}
  }

  const running = run()
  return {
    async stop() {
      stopping.abort()
      unlisten()
      wake()
      await running
    },
  }
}
