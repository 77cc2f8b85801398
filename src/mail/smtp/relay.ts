// Submits messages to the relay over a few connections that are kept open, as fast as it allows. Nothing is ever
// sent a second time once any of it may have reached the relay. Knows nothing of queues and messages' states.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { connectionFault } from './connection-fault.ts'
import { readRelayUrl } from './relay-url.ts'
import { createSessionPool } from './session-pool.ts'
import { openSession, SMTP_TIMEOUTS, type SmtpSession, type SubmissionRequest, type Timeouts } from './smtp-session.ts'
import type { Submission } from './smtp-transaction.ts'

export interface Relay {
  /**
   * Hands one message to the relay, in one transaction, as soon as a connection is free and the rate allows.
   * Whatever the relay does is a value. @throws only what the message's own bytes throw when they are read
   */
  submit(request: SubmissionRequest): Promise<Submission>
  /** Whether the relay answers at this moment, over a connection that is open or a new one. It takes its turn like a message. */
  answers(): Promise<boolean>
  /** Takes nothing new, gives what is under way `graceMs` to finish, and ends every connection. */
  close(graceMs: number): Promise<void>
}

export interface RelayOptions {
  /** MDK_RELAY_URL, see `readRelayUrl`. */
  url: string
  /** Most connections at once. */
  connections: number
  /** Most messages a second, evenly spaced; undefined for no limit. */
  ratePerSecond?: number | undefined
  log: Pick<Logger, 'info' | 'warn'>
  timeouts?: Timeouts
}

const CLOSING: Submission = { kind: 'not_tried', reason: 'the service is stopping' }

/** Connects on first use. @throws RangeError that says what is wrong with the URL */
export function createRelay({ url, connections, ratePerSecond, log, timeouts = SMTP_TIMEOUTS }: RelayOptions): Relay {
  const target = readRelayUrl(url)
  const where = { host: target.host, port: target.port }
  // Logged once when the relay goes and once when it comes back, not for every message in between.
  let reachable: boolean | undefined
  const pool = createSessionPool(connections, async (closing) => {
    try {
      const session = await openSession(target, timeouts, closing)
      if (reachable !== true) log.info(where, 'the relay can be reached')
      reachable = true
      return session
    } catch (error) {
      if (reachable !== false && !closing.aborted)
        log.warn({ ...where, reason: (error as Error).message }, 'the relay cannot be reached')
      reachable = false
      throw error
    }
  })
  const closing = new AbortController()
  let lastSlotMs = 0

  async function submit(request: SubmissionRequest): Promise<Submission> {
    for (let fresh = false; ; fresh = true) {
      const loan = await pool.acquire(fresh)
      if (loan === 'closed') return CLOSING
      const { session, reused } = loan
      if (session instanceof Error) {
        return { kind: 'unavailable', reply: connectionFault(session.cause as Error), noConnection: true }
      }
      if (!fresh && !(await inTurn())) {
        pool.giveBack(session)
        return CLOSING
      }
      if (request.stillWanted?.() === false) {
        pool.giveBack(session)
        return { kind: 'not_tried', reason: 'it was not wanted any more when its turn had come' }
      }
      const attempt = await session.transact(request).catch((fault: unknown) => {
        pool.discard(session)
        throw fault
      })
      settleSession(session, attempt.submission)
      // A relay may end an idle connection at the moment we use it again. Nothing of the message is out yet, so
      // that it can go over a new connection, once.
      const stale = reused && attempt.phase === 'envelope' && attempt.submission.kind === 'unavailable'
      if (!stale) return closing.signal.aborted ? atTheEnd(attempt.submission) : attempt.submission
    }
  }

  async function inTurn(): Promise<boolean> {
    if (ratePerSecond !== undefined) {
      const now = performance.now()
      lastSlotMs = nextSlot(lastSlotMs, now, ratePerSecond)
      await sleep(lastSlotMs - now, undefined, { signal: closing.signal }).catch(() => undefined)
    }
    return !closing.signal.aborted
  }

  function settleSession(session: SmtpSession, submission: Submission): void {
    if (submission.kind === 'accepted') pool.giveBack(session)
    else if (submission.kind === 'refused') {
      void session.reset().then((usable) => (usable ? pool.giveBack(session) : pool.discard(session)))
    } else pool.discard(session)
  }

  async function answers(): Promise<boolean> {
    const loan = await pool.acquire(false)
    if (loan === 'closed' || loan.session instanceof Error) return false
    const { session, reused } = loan
    // One that was open before may have ended unnoticed.
    const usable = !reused || (await session.reset())
    if (usable) pool.giveBack(session)
    else pool.discard(session)
    return usable
  }

  return {
    submit,
    answers,
    async close(graceMs) {
      closing.abort()
      await pool.close(graceMs)
    },
  }
}

/** What a connection came to that was perhaps ended by us. */
function atTheEnd(submission: Submission): Submission {
  if (submission.kind === 'unavailable') return CLOSING
  return submission.kind === 'unknown' ? { ...submission, stopped: true } : submission
}

/** When the next message may go: not before now, nor sooner after the last than the rate says. Milliseconds. */
export function nextSlot(lastMs: number, nowMs: number, ratePerSecond: number): number {
  return Math.max(nowMs, lastMs + 1_000 / ratePerSecond)
}
