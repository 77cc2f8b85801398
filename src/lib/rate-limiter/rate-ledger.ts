// What this process may let through of one kind of subject. It reserves parts of each window's limit from what all
// processes share, ahead of their use, so that most requests wait for nothing and all together never pass the limit. Its
// memory is bounded, whatever the number of subjects. Knows nothing of HTTP.
import { createGroup } from '../group.ts'
import { aheadOf, type Bound, type Share, type Standing, standing, surplusOf } from './rate-share.ts'

export interface Wish {
  kind: string
  subject: string
  windowMs: number
  /** What all processes may reserve of a window. */
  most: number
  wanted: number
}

export interface Reservation {
  /** At most what was wanted, and no more than was left. */
  granted: number
  /** What is reserved of the window now, by all processes. */
  reserved: number
  windowStartMs: number
  /** How much of the window is left, by the database's clock. */
  leftMs: number
}

export interface Unused {
  kind: string
  subject: string
  windowStartMs: number
  requests: number
}

/** What processes share. */
export interface Windows {
  /** Reserves from the windows of now, each subject named once. Gives the reservations in the same order. */
  reserve(wishes: readonly Wish[]): Promise<Reservation[]>
  giveBack(unused: readonly Unused[]): Promise<void>
}

export interface RateLedger {
  /** Counts one request, unless the limit is reached. A promise only where it takes a reservation to know. */
  take(subject: string, bound: Bound): Standing | Promise<Standing>
  /** Gives back what is held, and stops. */
  stop(): Promise<void>
}

export interface RateLedgerDeps {
  windows: Windows
  kind: string
  onError(error: unknown): void
  mostSubjects?: number | undefined
}

interface Entry extends Share {
  readonly subject: string
  bound: Bound
  windowStartMs: number
  /** By this process's monotonic clock, never later than by the database's. */
  endsAtMs: number
  /** Let through by this process alone, while the database was away. */
  alone: number
  isAsking: boolean
  /** When a reservation that found nothing left may be asked for again. */
  askAgainAtMs: number
  waiting: ((standing: Standing) => void)[]
}

/** How often what is held and not used is given back, and a full window is asked for what others gave back. */
const LOOK_EVERY_MS = 1_000
const ROWS_AT_ONCE = 1_000
/** Beyond this the subject that has been known longest is forgotten here; what it holds is given back. */
const MOST_SUBJECTS = 20_000

export function createRateLedger(deps: RateLedgerDeps): RateLedger {
  const { windows, kind, onError, mostSubjects = MOST_SUBJECTS } = deps
  const entries = new Map<string, Entry>()
  let unused: Unused[] = []
  let givingBack = Promise.resolve()
  /** After a failure nobody waits for the database until it has answered again. */
  let isAway = false
  let probeAtMs = 0
  const reservations = createGroup<Wish, Reservation>({
    write: (wishes) => windows.reserve(wishes),
    maxItems: ROWS_AT_ONCE,
    inFlight: 1,
  })
  const timer = setInterval(lookAtAll, LOOK_EVERY_MS).unref()

  function entryOf(subject: string, bound: Bound, nowMs: number): Entry {
    let entry = entries.get(subject)
    if (!entry) {
      entry = { subject, bound, ...NOTHING_KNOWN, waiting: [] }
      entries.set(subject, entry)
      if (entries.size > mostSubjects) forgetOldest()
    } else if (nowMs >= entry.endsAtMs) {
      Object.assign(entry, UNKNOWN_WINDOW)
    } else if (entry.bound.most !== bound.most) {
      release(entry, entry.held)
      entry.askAgainAtMs = 0
    }
    entry.bound = bound
    return entry
  }

  /** One that waits for its reservation stays: it is as many as there are requests waiting, at most. */
  function forgetOldest(): void {
    for (const entry of entries.values()) {
      if (entry.isAsking) continue
      release(entry, entry.held)
      entries.delete(entry.subject)
      return
    }
  }

  function release(entry: Entry, requests: number): void {
    if (requests <= 0) return
    const { subject, windowStartMs } = entry
    entry.held -= requests
    entry.reserved -= requests
    unused.push({ kind, subject, windowStartMs, requests })
  }

  function lookAtAll(): void {
    const nowMs = performance.now()
    for (const entry of entries.values()) {
      if (entry.isAsking) continue
      if (nowMs >= entry.endsAtMs) entries.delete(entry.subject)
      else release(entry, surplusOf(entry))
      entry.before = entry.lately
      entry.lately = 0
    }
    giveBack()
  }

  function giveBack(): void {
    const all = unused
    unused = []
    for (let i = 0; i < all.length; i += ROWS_AT_ONCE) {
      const rows = all.slice(i, i + ROWS_AT_ONCE)
      givingBack = givingBack.then(() => windows.giveBack(rows)).catch(onError)
    }
  }

  /** Asks for those that wait and for some ahead; one reservation of a subject is on its way at a time. */
  async function ask(entry: Entry): Promise<void> {
    entry.isAsking = true
    const { subject, bound } = entry
    const wanted = Math.max(1, entry.waiting.length + aheadOf(entry, bound.most) - entry.held)
    const askedAtMs = performance.now()
    probeAtMs = askedAtMs + LOOK_EVERY_MS
    try {
      take(entry, await reservations.add({ kind, subject, ...bound, wanted }), bound.most, askedAtMs)
      isAway = false
    } catch (error) {
      isAway = true
      onError(error)
    }
    entry.isAsking = false
    serve(entry)
  }

  function take(entry: Entry, reservation: Reservation, most: number, askedAtMs: number): void {
    const { granted, reserved, windowStartMs, leftMs } = reservation
    if (entry.windowStartMs !== windowStartMs) entry.held = 0
    Object.assign(entry, { windowStartMs, reserved, held: entry.held + granted, alone: 0 })
    entry.endsAtMs = askedAtMs + leftMs
    const nowMs = performance.now()
    entry.askAgainAtMs = reserved < most ? 0 : nowMs + LOOK_EVERY_MS
    // A window is over that ended while its reservation was on its way, and what another limit allowed is not for this one.
    if (nowMs < entry.endsAtMs && entry.bound.most === most) return
    release(entry, entry.held)
    if (nowMs >= entry.endsAtMs) Object.assign(entry, UNKNOWN_WINDOW)
    else entry.askAgainAtMs = 0
  }

  /** Those that waited, in their order, as far as it goes. */
  function serve(entry: Entry): void {
    const waiting = entry.waiting
    entry.waiting = []
    for (const resolve of waiting) {
      const answer = answerNow(entry, performance.now())
      if (answer) resolve(answer)
      else entry.waiting.push(resolve)
    }
    if (entry.waiting.length > 0 && !entry.isAsking) void ask(entry)
  }

  /** Undefined where it takes a reservation to know. */
  function answerNow(entry: Entry, nowMs: number): Standing | undefined {
    const { most } = entry.bound
    if (entry.held > 0) {
      entry.held -= 1
      entry.lately += 1
      if (!entry.isAsking && entry.held * 2 < aheadOf(entry, most)) void ask(entry)
      return standing(most, entry.reserved - entry.held, entry.endsAtMs - nowMs, false)
    }
    if (nowMs < entry.askAgainAtMs) return standing(most, most, entry.endsAtMs - nowMs, true)
    return isAway ? countAlone(entry, nowMs) : undefined
  }

  /** What is let through meanwhile is for the database's absence to answer, and not counted when it is back. */
  function countAlone(entry: Entry, nowMs: number): Standing {
    const { most, windowMs } = entry.bound
    if (entry.endsAtMs === Number.POSITIVE_INFINITY) entry.endsAtMs = nowMs + windowMs - (Date.now() % windowMs)
    if (!entry.isAsking && nowMs >= probeAtMs) void ask(entry)
    const used = entry.reserved + entry.alone
    if (used < most) entry.alone += 1
    return standing(most, used + 1, entry.endsAtMs - nowMs, used >= most)
  }

  return {
    take(subject, bound) {
      const nowMs = performance.now()
      const entry = entryOf(subject, bound, nowMs)
      const answer = entry.waiting.length > 0 ? undefined : answerNow(entry, nowMs)
      if (answer) return answer
      return new Promise((resolve) => {
        entry.waiting.push(resolve)
        if (!entry.isAsking) void ask(entry)
      })
    },
    async stop() {
      clearInterval(timer)
      await reservations.drain()
      for (const entry of entries.values()) release(entry, entry.held)
      giveBack()
      await givingBack
    },
  }
}

const UNKNOWN_WINDOW = {
  windowStartMs: Number.NaN,
  endsAtMs: Number.POSITIVE_INFINITY,
  reserved: 0,
  held: 0,
  alone: 0,
  askAgainAtMs: 0,
}
const NOTHING_KNOWN = { ...UNKNOWN_WINDOW, lately: 0, before: 0, isAsking: false }
