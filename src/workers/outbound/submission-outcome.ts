// What the relay's answer, or the lack of one, means for a message's recipients. Pure.
import { ownWords, type Reply } from '../../mail/smtp/relay-reply.ts'
import type { Submission } from '../../mail/smtp/smtp-transaction.ts'
import type { RecipientNow, RecipientOutcome, RecipientReply } from '../../messages/decide-outcome.ts'

/** A submission that was tried. */
export type Tried = Exclude<Submission, { kind: 'not_tried' }>

export interface RecipientResults {
  /** What is known for good, of those it was sent to first. */
  outcomes: RecipientOutcome[]
  /** What was said of each that is tried again. */
  deferrals: RecipientReply[]
}

/** Nobody is tried again when it `isLast`: those put off are failed with what was said of each. */
export function outcomesOf(submission: Tried, recipients: readonly RecipientNow[], isLast: boolean): RecipientResults {
  const sent: RecipientOutcome[] = []
  const failed: RecipientOutcome[] = []
  const givenUp: RecipientOutcome[] = []
  const deferrals: RecipientReply[] = []
  for (const [i, recipient] of recipients.entries()) {
    const { status, reply } = judge(submission, i)
    if (status === 'sent') sent.push({ ...replyTo(recipient, reply), status })
    else if (status === 'failed') failed.push({ ...replyTo(recipient, reply), status })
    else if (isLast)
      givenUp.push({ ...replyTo(recipient, { ...reply, text: `gave up: ${reply.text}` }), status: 'failed' })
    else deferrals.push(replyTo(recipient, reply))
  }
  return { outcomes: [...sent, ...failed, ...givenUp], deferrals }
}

/** Of the recipient at this place in what was submitted. */
function judge(submission: Tried, place: number): { status: 'sent' | 'failed' | 'put_off'; reply: Reply } {
  if (submission.kind === 'unavailable') return { status: 'put_off', reply: submission.reply }
  if (submission.kind === 'unknown') return { status: 'put_off', reply: ownWords(submission.reason) }
  const refusal = submission.refusals.get(place)
  if (refusal) return { status: refusal.permanent ? 'failed' : 'put_off', reply: refusal.reply }
  return { status: submission.kind === 'accepted' ? 'sent' : 'put_off', reply: submission.reply }
}

/** No connection to the relay could be opened, whatever the message is. */
export function isUnreached(submission: Tried): boolean {
  return submission.kind === 'unavailable' && submission.noConnection === true
}

/** All of them fail, for a reason of ours. */
export function failAll(recipients: readonly RecipientNow[], reason: string): RecipientOutcome[] {
  return recipients.map((recipient) => ({ ...replyTo(recipient, ownWords(reason)), status: 'failed' }))
}

/** All of them wait, for one reason. */
export function deferAll(recipients: readonly RecipientNow[], reply: Reply): RecipientReply[] {
  return recipients.map((recipient) => replyTo(recipient, reply))
}

function replyTo({ position }: RecipientNow, reply: Reply): RecipientReply {
  return { position, smtpCode: reply.code, enhancedCode: reply.enhancedCode, diagnostic: reply.text }
}

/** What the relay said when it took a message, on one line; undefined when it did not take it. */
export function relayResponseOf(submission: Tried): string | undefined {
  if (submission.kind !== 'accepted') return undefined
  const { code, enhancedCode, text } = submission.reply
  return [code, enhancedCode, text].filter((part) => part !== null && part !== '').join(' ')
}
