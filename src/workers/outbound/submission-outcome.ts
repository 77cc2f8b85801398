// What the relay's answer, or the lack of one, means for a message's recipients. Pure.
import type { Reply, Submission } from '../../mail/smtp/relay.ts'
import type { RecipientNow, RecipientOutcome } from '../../messages/decide-outcome.ts'

/** A submission that was tried. */
export type Tried = Exclude<Submission, { kind: 'not_tried' }>

/**
 * What is known for good of each recipient, those it was sent to first; those put off are left out, unless `isLast`: then
 * they are failed, as no other attempt follows.
 */
export function outcomesOf(
  submission: Tried,
  recipients: readonly RecipientNow[],
  isLast: boolean,
): RecipientOutcome[] {
  const known = knownOutcomes(submission, recipients)
  if (!isLast) return known
  const positions = new Set(known.map(({ position }) => position))
  const final = finalReply(submission)
  const givenUp = recipients
    .filter(({ position }) => !positions.has(position))
    .map((recipient) => outcomeOf(recipient, 'failed', { ...final, text: `gave up: ${final.text}` }))
  return [...known, ...givenUp]
}

function knownOutcomes(submission: Tried, recipients: readonly RecipientNow[]): RecipientOutcome[] {
  if (submission.kind === 'unavailable' || submission.kind === 'unknown') return []
  const { kind, reply, refusals } = submission
  const taken = kind === 'accepted' ? recipients.filter((_, i) => !refusals.has(i)) : []
  const failed = recipients.flatMap((recipient, i) => {
    const refusal = refusals.get(i)
    return refusal?.permanent ? outcomeOf(recipient, 'failed', refusal.reply) : []
  })
  return [...taken.map((recipient) => outcomeOf(recipient, 'sent', reply)), ...failed]
}

/** What the relay said to those it put off. */
function finalReply(submission: Tried): Reply {
  if (submission.kind === 'unavailable' || submission.kind === 'unknown') return ownWords(submission.reason)
  return [...submission.refusals.values()].find((refusal) => !refusal.permanent)?.reply ?? submission.reply
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
