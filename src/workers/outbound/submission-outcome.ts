// What the relay's answer, or the lack of one, means for a message's recipients. Pure.
import type { Reply } from '../../mail/smtp/relay-reply.ts'
import type { Submission } from '../../mail/smtp/smtp-transaction.ts'
import type { RecipientNow, RecipientOutcome } from '../../messages/decide-outcome.ts'

/** A submission that was tried. */
export type Tried = Exclude<Submission, { kind: 'not_tried' }>

/**
 * What is known for good of each recipient, those it was sent to first. Those put off are left out, unless `isLast`: then
 * they are failed with what was said of each, as no other attempt follows.
 */
export function outcomesOf(
  submission: Tried,
  recipients: readonly RecipientNow[],
  isLast: boolean,
): RecipientOutcome[] {
  const sent: RecipientOutcome[] = []
  const failed: RecipientOutcome[] = []
  const givenUp: RecipientOutcome[] = []
  for (const [i, recipient] of recipients.entries()) {
    const { status, reply } = judge(submission, i)
    if (status === 'sent') sent.push(outcomeOf(recipient, 'sent', reply))
    else if (status === 'failed') failed.push(outcomeOf(recipient, 'failed', reply))
    else if (isLast) givenUp.push(outcomeOf(recipient, 'failed', { ...reply, text: `gave up: ${reply.text}` }))
  }
  return [...sent, ...failed, ...givenUp]
}

/** Of the recipient at this place in what was submitted. */
function judge(submission: Tried, place: number): { status: 'sent' | 'failed' | 'put_off'; reply: Reply } {
  if (submission.kind === 'unavailable' || submission.kind === 'unknown') {
    return { status: 'put_off', reply: ownWords(submission.reason) }
  }
  const refusal = submission.refusals.get(place)
  if (refusal) return { status: refusal.permanent ? 'failed' : 'put_off', reply: refusal.reply }
  return { status: submission.kind === 'accepted' ? 'sent' : 'put_off', reply: submission.reply }
}

/** All of them fail, for a reason of ours. */
export function failAll(recipients: readonly RecipientNow[], reason: string): RecipientOutcome[] {
  return recipients.map((recipient) => outcomeOf(recipient, 'failed', ownWords(reason)))
}

function ownWords(text: string): Reply {
  return { code: null, enhancedCode: null, text }
}

function outcomeOf({ position }: RecipientNow, status: 'sent' | 'failed', reply: Reply): RecipientOutcome {
  return { position, status, smtpCode: reply.code, enhancedCode: reply.enhancedCode, diagnostic: reply.text }
}

/** What the relay said when it took a message, on one line; undefined when it did not take it. */
export function relayResponseOf(submission: Tried): string | undefined {
  if (submission.kind !== 'accepted') return undefined
  const { code, enhancedCode, text } = submission.reply
  return [code, enhancedCode, text].filter((part) => part !== null && part !== '').join(' ')
}
