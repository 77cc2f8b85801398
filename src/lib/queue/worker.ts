// Keeps so many jobs of one queue in flight: claims in batches as room comes free, keeps the leases alive, gives
// back at the stop what it could not finish. What a job means is the handler's business.
import { setTimeout as delay } from 'node:timers/promises'
import { type Database, isUnavailable } from '../sql.ts'
import { claimJobs, NO_LANE, nextDueInMs } from './claim-jobs.ts'
import type { Job } from './job.ts'
import { HeldJob, type Lease } from './lease.ts'
import { renewJobs } from './renew-jobs.ts'
import { settleJobs } from './settle-jobs.ts'
import type { WakeUps } from './wake-ups.ts'

export interface WorkerOptions {
  queue: string
  database: Database
  wakeUps: Pick<WakeUps, 'listen'>
  /** Topics that may mean work, besides the queue's own name. */
  wokenBy?: readonly string[]
  /**
   * Does one job and settles it. Whatever it throws puts the job back after a moment, its reception counted.
   * Once the lease is lost, what is recorded changes nothing, and what has not begun should not begin.
   */
  handle(job: Job, lease: Lease): Promise<void>
  /** Jobs in flight at once in this process. */
  concurrency: number
  laneCap: number
  tenantCap?: number
  receptionBudget: number
  leaseMs: number
  pollMs: number
  onError(error: unknown, job?: Job): void
}

export interface Worker {
  /** Claims nothing more, waits for what is in flight so long at most, gives the rest back. */
  stop(withinMs: number): Promise<void>
}

const MOST_WAIT_AFTER_FAULT_MS = 60_000
const AFTER_DATABASE_FAULT_MS = 500
/** With so many done there is no waiting for the half of many more, which would leave workers and database by turns idle. */
const ENOUGH_FOR_A_CLAIM = 256
/** So that a job which is due but held by someone's open transaction is not asked for in a tight loop. */
const LEAST_WAIT_MS = 5

/** How long a job waits whose handler threw at this reception: 1 s, and twice as long each time. */
export function waitAfterFaultMs(receptions: number): number {
  return Math.min(MOST_WAIT_AFTER_FAULT_MS, 1_000 * 2 ** (receptions - 1))
}

export function startWorker(options: WorkerOptions): Worker {
  const { queue, database, concurrency } = options
  /**
   * A job that was lost may be in it twice: claimed again while its first handler still runs. Not a Set, as what
   * `src/servers/http/end-connections.ts` says of one holds here too.
   */
  const inFlight: HeldJob[] = []
  const stopping = new AbortController()
  let after = NO_LANE
  let signal = createSignal()
  /** Claim again when no more than this is in flight: the half of what the last claim left, or a claim's worth less. */
  let refillAt = concurrency - 1
  let databaseAway = false
  /** When to look again for what falls due, on the clock of `performance.now`; 0 when what was seen may be out of date. */
  let nextLookMs = 0

  const unlisten = [queue, ...(options.wokenBy ?? [])].map((topic) =>
    options.wakeUps.listen(topic, () => signal.raise()),
  )
  const renewal = setInterval(() => void renew().catch(report), options.leaseMs / 3).unref()
  const loop = run()

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const found = await claim()
      if (stopping.signal.aborted) return
      if (found === 'some' && inFlight.length <= refillAt) continue
      await signal.wait(found === 'fault' ? AFTER_DATABASE_FAULT_MS : await untilNextLook(found))
      signal = createSignal()
    }
  }

  async function claim(): Promise<'some' | 'none' | 'fault'> {
    const room = concurrency - inFlight.length
    if (room <= 0) return 'none'
    try {
      const askedAtMs = performance.now()
      const jobs = await claimJobs(database, {
        queue,
        limit: room,
        laneCap: options.laneCap,
        tenantCap: options.tenantCap,
        receptionBudget: options.receptionBudget,
        leaseMs: options.leaseMs,
        after,
      })
      databaseAway = false
      const last = jobs.at(-1)
      if (!last) return 'none'
      after = last
      for (const job of jobs) begin(job, askedAtMs + options.leaseMs)
      refillAt = Math.max(Math.floor(inFlight.length / 2), inFlight.length - ENOUGH_FOR_A_CLAIM)
      return 'some'
    } catch (error) {
      report(error)
      return 'fault'
    }
  }

  function begin(job: Job, heldUntilMs: number): void {
    const entry = new HeldJob(job, heldUntilMs, inFlight.length)
    inFlight.push(entry)
    options
      .handle(job, entry)
      .catch((error) => putBack(job, error))
      .finally(() => {
        remove(entry)
        nextLookMs = 0
        if (inFlight.length <= refillAt) signal.raise()
      })
      .catch(options.onError)
  }

  /** The last takes its place. */
  function remove(entry: HeldJob): void {
    const last = inFlight.pop() as HeldJob
    if (last === entry) return
    inFlight[entry.place] = last
    last.place = entry.place
  }

  /** A handler failed. When the database is away too, the lease brings the job back. */
  async function putBack(job: Job, error: unknown): Promise<void> {
    // Reported when it could not be given back.
    if (database.abandoned) return
    options.onError(error, job)
    const dueInMs = waitAfterFaultMs(job.receptions)
    const how = { kind: 'putBack', dueInMs, keepReceptions: !isUnavailable(error) } as const
    await database.transaction((tx) => settleJobs(tx, [{ job, how }]))
  }

  /**
   * The next poll, or sooner when a job falls due before it. Who found something to do does not look again while what was
   * seen before still holds.
   */
  async function untilNextLook(found: 'some' | 'none'): Promise<number> {
    if (inFlight.length >= concurrency) return options.pollMs
    if (found === 'some' && performance.now() + LEAST_WAIT_MS < nextLookMs) return nextLookMs - performance.now()
    // A job that ends from here on may wait from then on.
    nextLookMs = Number.POSITIVE_INFINITY
    try {
      const dueInMs = (await nextDueInMs(database, queue)) ?? options.pollMs
      const waitMs = Math.min(options.pollMs, Math.max(LEAST_WAIT_MS, Math.ceil(dueInMs)))
      nextLookMs = Math.min(nextLookMs, performance.now() + waitMs)
      return waitMs
    } catch (error) {
      nextLookMs = 0
      report(error)
      return AFTER_DATABASE_FAULT_MS
    }
  }

  /** Says once that the database is away, not at every look. */
  function report(error: unknown): void {
    const away = isUnavailable(error)
    if (!away || !databaseAway) options.onError(error)
    databaseAway ||= away
  }

  async function renew(): Promise<void> {
    if (inFlight.length === 0) return
    const held = [...inFlight]
    const askedAtMs = performance.now()
    const kept = await renewJobs(
      database,
      held.map(({ job }) => job),
      options.leaseMs,
    )
    for (const entry of held) {
      if (kept.has(entry.job.id)) entry.heldUntilMs = askedAtMs + options.leaseMs
      else entry.lose()
    }
  }

  /** When the database is away, the leases bring the jobs back. */
  async function giveBack(jobs: Job[]): Promise<void> {
    const settlements = jobs.map((job) => ({ job, how: { kind: 'giveBack' } as const }))
    await database.transaction((tx) => settleJobs(tx, settlements)).catch(options.onError)
  }

  return {
    async stop(withinMs) {
      stopping.abort()
      signal.raise()
      await loop
      for (const end of unlisten) end()
      const deadline = performance.now() + withinMs
      while (inFlight.length > 0 && performance.now() < deadline && !database.abandoned) await delay(10)
      clearInterval(renewal)
      const rest = [...inFlight]
      if (rest.length === 0) return
      for (const entry of rest) entry.lose()
      await giveBack(rest.map(({ job }) => job))
    },
  }
}

/** Something to wait for, with a limit. Raised before the wait it ends the wait at once. */
function createSignal() {
  let raise: () => void = () => {}
  const raised = new Promise<void>((resolve) => {
    raise = resolve
  })
  return {
    raise: () => raise(),
    async wait(withinMs: number): Promise<void> {
      const limit = setTimeout(raise, withinMs)
      await raised
      clearTimeout(limit)
    },
  }
}
