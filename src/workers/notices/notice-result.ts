// What the relay's answer, or the lack of one, means for a notice. Pure but for the chance that is handed in.
import type { JobSettlement } from '../../lib/queue/settle-jobs.ts'
import type { Submission } from '../../mail/smtp/smtp-transaction.ts'
import { type OutboundBackoff, retryWait } from '../outbound/retry-wait.ts'

export interface NoticeOutcome {
  how: JobSettlement
  /** Absent while it waits. */
  status?: 'sent' | 'dropped'
  /** As it is logged: what the relay made of it, or what kept it from the relay. */
  result: string
}

/** Nothing is to be mailed. */
export function dropped(result: string): NoticeOutcome {
  return { how: { kind: 'done' }, status: 'dropped', result }
}

/** It comes again after a while, longer each time, until its time is over. `attempt`: how often it was put off before. */
export function putOff(result: string, attempt: number, backoff: OutboundBackoff, random: number): NoticeOutcome {
  const dueInMs = retryWait(backoff, attempt, random)
  return { how: { kind: 'putBack', dueInMs, keepReceptions: false, payload: { attempt: attempt + 1 } }, result }
}

/** What was taken without a verdict goes again, under the same Message-ID. */
export function noticeOutcome(
  submission: Submission,
  attempt: number,
  backoff: OutboundBackoff,
  random: number,
): NoticeOutcome {
  switch (submission.kind) {
    case 'accepted':
      // It has one recipient: a relay that takes none takes no message.
      return { how: { kind: 'done' }, status: 'sent', result: 'accepted' }
    case 'not_tried':
      return { how: { kind: 'giveBack' }, result: 'not_tried' }
    case 'refused':
      return submission.permanent ? dropped('refused') : putOff('refused', attempt, backoff, random)
    default:
      return putOff(submission.kind, attempt, backoff, random)
  }
}
