// Follows the log as it grows, for all of a process that want to hear of it: one statement reads on in every log that is
// followed, however many follow. Woken after commits, of other processes too, with a poll beneath. Knows no HTTP.
import { setTimeout as delay } from 'node:timers/promises'
import type { Realm } from '../access/actor.ts'
import type { WakeUps } from '../lib/queue/wake-ups.ts'
import type { Database } from '../lib/sql.ts'
import { EVENTS_TOPIC } from './append.ts'
import { type CursorCodec, isBefore, type Position } from './cursor.ts'
import { noticeRewind } from './epoch.ts'
import { type Appended, endOfLog, readLogsOn } from './follow-reads.ts'

/** An event that was appended, and where the log goes on behind it. */
export interface Change extends Omit<Appended, 'place'> {
  /** As the API's list of events has it. */
  cursor: string
}

export interface Follower {
  /**
   * Called first, and once: the changes behind `cursor` are heard. `isAnew`: what lies between it and the cursor that was
   * given is not.
   */
  begins(cursor: string, isAnew: boolean): void
  /** In the order of the feed, each once. The same array for all who hear the same. */
  hears(changes: readonly Change[]): void
}

export interface FeedFollower {
  /**
   * Follows a log behind a cursor, or from now on: without one, with one that is no good, and with one that lies too far
   * back. Gives what ends it. @throws what the database throws
   */
  follow(realm: Realm, cursor: string | undefined, follower: Follower): Promise<() => void>
  stop(): Promise<void>
}

export interface FeedFollowerDeps {
  database: Database
  wakeUps: Pick<WakeUps, 'listen'>
  cursors: CursorCodec
  /** Called once for each time that the log cannot be read. */
  onError(error: unknown): void
  /** How long nothing wakes it before it looks by itself; a second unless given. */
  pollMs?: number
}

/** A commit that nobody signalled is heard of within this time. */
const POLL_MS = 1_000
/** Between two looks, at least: what is committed meanwhile, by whichever tenant, is read together. */
const REST_MS = 100
/** So many times as long as a look takes is rested from it: many logs cost the database no more than a tenth of the time. */
const REST_SHARE = 9
/** Of one log in one look. What is more is read at once. */
const MOST_AT_ONCE = 500
/** Whoever comes back has missed no more, or reads anew: that costs less than each of them. */
const MOST_MISSED = 1_000

interface FollowedLog extends Realm {
  /** How far it has been read; undefined until that is known. */
  place: Position | undefined
  opening: Promise<void>
  /** Those of `listeners`, and who is about to become one. */
  users: number
  listeners: Set<Listener>
}

interface Listener {
  follower: Follower
  /** It has heard what lies up to here, from the log itself. */
  after: Position
}

export function createFeedFollower(deps: FeedFollowerDeps): FeedFollower {
  const { database, cursors } = deps
  const logs = new Map<string, FollowedLog>()
  let isRunning = false
  let running: Promise<void> | undefined
  let isStopped = false
  let isAway = false
  let isWoken = false
  let wake = () => {}

  async function follow(realm: Realm, cursor: string | undefined, follower: Follower): Promise<() => void> {
    const log = enter(realm)
    try {
      await log.opening
      const given = cursor === undefined ? undefined : cursors.decode(realm, cursor)
      // Given by another process, which is further, or by what the database was before it was put back.
      if (given && isBefore(placeOf(log), given)) await noticeRewind(database, given)
      let missed: Appended[] | undefined = given && []
      let after = given
      while (missed && after && isBefore(after, placeOf(log))) {
        missed = await readFurther(log, after, missed)
        after = missed?.at(-1)?.place
      }
      // Nothing is waited for from here on, so that nothing is handed on in between.
      const begin = given && missed ? given : placeOf(log)
      follower.begins(cursors.encode(realm, begin), cursor !== undefined && !missed)
      if (missed?.length) follower.hears(missed.map((event) => changeOf(realm, event)))
      const listener = { follower, after: after ?? begin }
      log.listeners.add(listener)
      return () => {
        if (log.listeners.delete(listener)) leave(log)
      }
    } catch (error) {
      leave(log)
      throw error
    }
  }

  function enter({ tenantId, environmentId }: Realm): FollowedLog {
    const name = nameOf({ tenantId, environmentId })
    const known = logs.get(name)
    if (known) {
      known.users++
      return known
    }
    const log: FollowedLog = {
      tenantId,
      environmentId,
      place: undefined,
      opening: endOfLog(database, { tenantId, environmentId }).then((place) => {
        log.place = place
        if (!isRunning) running = run()
      }),
      users: 1,
      listeners: new Set(),
    }
    logs.set(name, log)
    return log
  }

  function leave(log: FollowedLog): void {
    log.users--
    if (log.users > 0) return
    logs.delete(nameOf(log))
    if (logs.size === 0) wake()
  }

  /** What was missed, and more of it; undefined when that is too much, or is no longer there. */
  async function readFurther(log: FollowedLog, place: Position, missed: Appended[]): Promise<Appended[] | undefined> {
    const [read] = await readLogsOn(database, [{ ...log, place }], MOST_MISSED - missed.length)
    if (!read || read.more || read.appended.length === 0) return undefined
    return [...missed, ...read.appended]
  }

  /** Until nobody follows. */
  async function run(): Promise<void> {
    isRunning = true
    const unlisten = deps.wakeUps.listen(EVENTS_TOPIC, () => {
      isWoken = true
      wake()
    })
    try {
      while (logs.size > 0 && !isStopped) {
        isWoken = false
        const beganMs = performance.now()
        const found = await look()
        if (found === 'more') continue
        const tookMs = performance.now() - beganMs
        await delay(Math.min(POLL_MS, Math.max(REST_MS, REST_SHARE * tookMs)))
        if (found === 'all') await wokenWithin(deps.pollMs ?? POLL_MS)
      }
    } finally {
      unlisten()
      isRunning = false
    }
  }

  /** Reads on in every log, once. `held`: an open transaction keeps back what is to be looked for again. */
  async function look(): Promise<'more' | 'held' | 'all'> {
    const opened = [...logs.values()].filter(isOpened)
    try {
      // The database may have been put back while nobody could reach it.
      if (isAway) for (const log of opened) await noticeRewind(database, log.place)
      const reads = await readLogsOn(database, opened, MOST_AT_ONCE)
      isAway = false
      for (const [i, log] of opened.entries()) hand(log, reads[i]?.appended ?? [])
      if (reads.some((read) => read.more)) return 'more'
      return reads.some((read) => read.isHeld) ? 'held' : 'all'
    } catch (error) {
      if (!isAway && !isStopped) deps.onError(error)
      isAway = true
      isWoken = false
      return 'all'
    }
  }

  function hand(log: FollowedLog, appended: Appended[]): void {
    const last = appended.at(-1)
    if (!last) return
    const before = placeOf(log)
    log.place = last.place
    const changes = appended.map((event) => changeOf(log, event))
    for (const { follower, after } of log.listeners) {
      // Who has read beyond what was read for all has heard the first of these.
      const heard = isBefore(before, after)
        ? changes.filter((_, i) => isBefore(after, (appended[i] as Appended).place))
        : changes
      if (heard.length > 0) follower.hears(heard)
    }
  }

  function changeOf(realm: Realm, { place, type, resourceId, mailboxIds }: Appended): Change {
    return { type, resourceId, mailboxIds, cursor: cursors.encode(realm, place) }
  }

  /** Waits to be woken, unless that has happened. */
  async function wokenWithin(ms: number): Promise<void> {
    if (isWoken || logs.size === 0 || isStopped) return
    await new Promise<void>((resolve) => {
      const limit = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(limit)
        resolve()
      }
    })
    wake = () => {}
  }

  return {
    follow,
    async stop() {
      isStopped = true
      wake()
      await running
    },
  }
}

const nameOf = ({ tenantId, environmentId }: Realm) => `${tenantId}/${environmentId}`

/** Of one that is open. */
function placeOf({ place }: FollowedLog): Position {
  return place as Position
}

function isOpened(log: FollowedLog): log is FollowedLog & { place: Position } {
  return log.place !== undefined
}
