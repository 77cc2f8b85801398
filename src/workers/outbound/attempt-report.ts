// What is logged of an attempt to submit a message: its id and how many recipients came to what, never who they are or
// what was written. The relay's words are left out too, as they may name a recipient; the message shows them.
import type { Logger } from 'pino'
import type { Uuid } from '../../lib/uuid.ts'

export interface AttemptReport {
  messageId: Uuid
  /** The first is 1. */
  attempt: number
  /** What the relay made of it, or what kept it from the relay. */
  result: string
  /** In words of ours, where no connection to the relay could be opened. */
  reason?: string
  smtpCode?: number
  /** Enhanced status code (RFC 3463). */
  enhancedCode?: string
  /** How many recipients the relay took it for, how many are tried again, and how many get nothing. */
  sent: number
  deferred: number
  failed: number
  /** Absent when no other attempt follows. */
  nextAttemptInMs?: number
}

/** One line for each attempt: that the message was submitted, deferred or failed. */
export function logAttempt(log: Pick<Logger, 'info' | 'warn'>, report: AttemptReport): void {
  if (report.failed > 0) log.warn(report, words(report))
  else log.info(report, words(report))
}

function words({ sent, deferred }: AttemptReport): string {
  if (sent > 0) return 'a message was submitted'
  return deferred > 0 ? 'a message was deferred' : 'a message failed'
}
