// Keeps so many jobs of one queue in flight: claims in batches as room comes free, keeps the leases alive, gives
// back at the stop what it could not finish. What a job means is the handler's business.
import { setTimeout as delay } from 'node:timers/promises'
import { type Database, isUnavailable } from '../sql.ts'
import { claimJobs, FIRST_LANE, type Job, renewJobs, settleJobs } from './jobs.ts'
import type { WakeUps } from './wake-ups.ts'

export interface WorkerOptions {
  queue: string
  database: Database
  wakeUps: WakeUps
  /**
   * Does one job and settles it. Whatever it throws puts the job back after a moment, its reception counted.
   * The signal says that the lease was lost: what is recorded after that changes nothing.
   */
  handle(job: Job, lost: AbortSignal): Promise<void>
  /** Jobs in flight at once in this process. */
  concurrency: number
  laneCap: number
  receptionBudget: number
  leaseMs: number
  pollMs: number
  onError(error: unknown, job?: Job): void
}

export interface Worker {
  /** Looks for work now. */
  wake(): void
  /** Claims nothing more, waits for what is in flight so long at most, gives the rest back. */
  stop(withinMs: number): Promise<void>
}

const PUT_BACK_AFTER_FAULT_MS = 1_000
const AFTER_DATABASE_FAULT_MS = 500

export function startWorker(options: WorkerOptions): Worker {
  const { queue, database, concurrency } = options
  const inFlight = new Map<number, { job: Job; lost: AbortController }>()
  const stopping = new AbortController()
  let afterLane = FIRST_LANE
  let signal = createSignal()
  /** Claim again when no more than this is in flight: the half of what the last claim left. */
  let refillAt = concurrency - 1

  const unlisten = options.wakeUps.listen(queue, () => signal.raise())
  const renewal = setInterval(() => void renew().catch(options.onError), options.leaseMs / 3).unref()
  const loop = run()

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const found = await claim()
      if (stopping.signal.aborted) return
      if (found === 'some' && inFlight.size <= refillAt) continue
      await signal.wait(found === 'fault' ? AFTER_DATABASE_FAULT_MS : options.pollMs)
      signal = createSignal()
    }
  }

  async function claim(): Promise<'some' | 'none' | 'fault'> {
    const room = concurrency - inFlight.size
    if (room <= 0) return 'none'
    try {
      const jobs = await claimJobs(database, {
        queue,
        limit: room,
        laneCap: options.laneCap,
        receptionBudget: options.receptionBudget,
        leaseMs: options.leaseMs,
        afterLane,
      })
      const last = jobs.at(-1)
      if (!last) return 'none'
      afterLane = last.lane
      for (const job of jobs) begin(job)
      refillAt = Math.floor(inFlight.size / 2)
      return 'some'
    } catch (error) {
      options.onError(error)
      return 'fault'
    }
  }

  function begin(job: Job): void {
    const lost = new AbortController()
    inFlight.set(job.id, { job, lost })
    options
      .handle(job, lost.signal)
      .catch((error) => putBack(job, error))
      .finally(() => {
        inFlight.delete(job.id)
        if (inFlight.size <= refillAt) signal.raise()
      })
      .catch(options.onError)
  }

  /** A handler failed. When the database is away too, the lease brings the job back. */
  async function putBack(job: Job, error: unknown): Promise<void> {
    options.onError(error, job)
    const how = { kind: 'putBack', dueInMs: PUT_BACK_AFTER_FAULT_MS, keepReceptions: !isUnavailable(error) } as const
    await database.transaction((tx) => settleJobs(tx, [{ job, how }]))
  }

  async function renew(): Promise<void> {
    if (inFlight.size === 0) return
    const held = [...inFlight.values()]
    const kept = await renewJobs(
      database,
      held.map(({ job }) => job),
      options.leaseMs,
    )
    for (const { job, lost } of held) if (!kept.has(job.id)) lost.abort()
  }

  return {
    wake: () => signal.raise(),

    async stop(withinMs) {
      stopping.abort()
      signal.raise()
      await loop
      unlisten()
      const deadline = performance.now() + withinMs
      while (inFlight.size > 0 && performance.now() < deadline) await delay(10)
      clearInterval(renewal)
      const rest = [...inFlight.values()]
      if (rest.length === 0) return
      const giveBack = { kind: 'giveBack' } as const
      await database.transaction((tx) =>
        settleJobs(
          tx,
          rest.map(({ job }) => ({ job, how: giveBack })),
        ),
      )
      for (const { lost } of rest) lost.abort()
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
      const limit = new AbortController()
      await Promise.race([raised, delay(withinMs, undefined, { signal: limit.signal }).catch(() => {})])
      limit.abort()
    },
  }
}
