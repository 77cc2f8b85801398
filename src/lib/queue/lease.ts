// A worker's hold on a job: when it ends, and who hears of it.
import type { Job } from './job.ts'

/** A worker's hold on one job. */
export interface Lease {
  /** Aborts when the job is known to be somebody else's, or is being given back. */
  readonly lost: AbortSignal
  /** False too when the lease may have run out unseen, as after the process was stopped for a while. */
  held(): boolean
}

/** A job in a handler's hands. Few handlers ever ask for the signal of its loss, so it is made when one does. */
export class HeldJob implements Lease {
  readonly job: Job
  heldUntilMs: number
  /** Where it is among them. */
  place: number
  #lost = false
  #losing: AbortController | undefined

  constructor(job: Job, heldUntilMs: number, place: number) {
    this.job = job
    this.heldUntilMs = heldUntilMs
    this.place = place
  }

  get lost(): AbortSignal {
    this.#losing ??= new AbortController()
    if (this.#lost) this.#losing.abort()
    return this.#losing.signal
  }

  held(): boolean {
    return !this.#lost && performance.now() < this.heldUntilMs
  }

  lose(): void {
    this.#lost = true
    this.#losing?.abort()
  }
}
