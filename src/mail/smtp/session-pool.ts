// Keeps connections to the relay open for use and never more than allowed. Knows nothing of messages.
import { setTimeout as sleep } from 'node:timers/promises'
import type { SmtpSession } from './smtp-session.ts'

export interface Loan {
  /** An error when the connection could not be opened. */
  session: SmtpSession | Error
  /** True when the connection has been idle before, so that the relay may have ended it unnoticed. */
  reused: boolean
}

export interface SessionPool {
  /** An idle session, else a new one, as soon as there may be one. `fresh` asks for a new one. */
  acquire(fresh: boolean): Promise<Loan | 'closed'>
  /** Takes back a session that can be used again. */
  giveBack(session: SmtpSession): void
  /** Ends a session that cannot. */
  discard(session: SmtpSession): void
  /** Hands out nothing more, ends what is idle, and after `graceMs` the rest. */
  close(graceMs: number): Promise<void>
}

/** Relays end what is idle after one to five minutes, some after ten seconds. */
const IDLE_MS = 30_000

/** Opens sessions with `open`, at most `most` at once, those that are just ending included. The signal says that none is wanted. */
export function createSessionPool(most: number, open: (closing: AbortSignal) => Promise<SmtpSession>): SessionPool {
  const alive = new Set<SmtpSession>()
  const idle = new Map<SmtpSession, NodeJS.Timeout>()
  const waiting: { fresh: boolean; take(loan: Loan | 'closed'): void }[] = []
  let opening = 0
  let closed = false
  const closing = new AbortController()
  const drained = Promise.withResolvers<void>()

  /** Gives those in line what they want, for as long as there is something to give. */
  function serve(): void {
    for (let next = waiting[0]; next && !closed; next = waiting[0]) {
      const session = next.fresh ? undefined : takeIdle('newest')
      if (!session && alive.size + opening >= most) {
        // A new one is wanted and there is no room: an idle one goes, and its end calls us again.
        if (next.fresh) takeIdle('oldest')?.quit()
        return
      }
      waiting.shift()
      if (session) next.take({ session, reused: true })
      else void openFor(next.take)
    }
    if (!closed) return
    for (const { take } of waiting.splice(0)) take('closed')
    if (alive.size + opening === 0) drained.resolve()
  }

  /** The one that was used last is the one most likely to live. */
  function takeIdle(which: 'newest' | 'oldest'): SmtpSession | undefined {
    const session = [...idle.keys()].at(which === 'newest' ? -1 : 0)
    if (session) noLongerIdle(session)
    return session
  }

  function noLongerIdle(session: SmtpSession): void {
    clearTimeout(idle.get(session))
    idle.delete(session)
  }

  async function openFor(take: (loan: Loan | 'closed') => void): Promise<void> {
    opening++
    const session = await open(closing.signal).catch((error: Error) => error)
    opening--
    if (!(session instanceof Error)) {
      alive.add(session)
      void session.ended.then(() => {
        alive.delete(session)
        noLongerIdle(session)
        serve()
      })
      if (closed) session.quit()
    }
    take(closed ? 'closed' : { session, reused: false })
    serve()
  }

  return {
    acquire: (fresh) =>
      new Promise((take) => {
        waiting.push({ fresh, take })
        serve()
      }),
    giveBack(session) {
      if (closed || !alive.has(session)) {
        session.quit()
        return
      }
      const timer = setTimeout(() => {
        noLongerIdle(session)
        session.quit()
      }, IDLE_MS)
      idle.set(session, timer)
      serve()
    },
    discard: (session) => session.destroy(),
    async close(graceMs) {
      closed = true
      closing.abort()
      for (const session of [...idle.keys()]) {
        noLongerIdle(session)
        session.quit()
      }
      serve()
      const patience = new AbortController()
      await Promise.race([
        drained.promise,
        sleep(graceMs, undefined, { signal: patience.signal }).catch(() => undefined),
      ])
      patience.abort()
      for (const session of alive) session.destroy()
    },
  }
}
