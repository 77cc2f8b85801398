// What becomes of sandbox mail, which never reaches a relay: the recipient's local part decides. Pure.
// specification.md#sandbox-outcomes
import type { RecipientNow, RecipientOutcome, RecipientReply } from '../../messages/decide-outcome.ts'
import type { RecipientResults } from './submission-outcome.ts'

/** How often mail to `deferred…` is put off before it is delivered. */
const DEFERRALS = 2

/** What a relay would have answered. */
export const SIMULATED_RESPONSE = '250 2.0.0 simulated'

/**
 * What becomes of recipients at an attempt, the first being 0. An outcome other than `sent` comes after the message was sent,
 * as a relay would report it.
 */
export function simulate(recipients: readonly RecipientNow[], attempt: number): RecipientResults {
  const isDeferred = (recipient: RecipientNow) => attempt < DEFERRALS && localPartOf(recipient).startsWith('deferred')
  return {
    outcomes: recipients.flatMap((recipient) => (isDeferred(recipient) ? [] : outcomesOf(recipient))),
    deferrals: recipients.flatMap((recipient) => (isDeferred(recipient) ? deferralOf(recipient) : [])),
  }
}

const localPartOf = ({ address }: RecipientNow) => address.slice(0, address.lastIndexOf('@')).toLowerCase()

function deferralOf({ position }: RecipientNow): RecipientReply {
  return { position, smtpCode: 451, enhancedCode: '4.7.1', diagnostic: 'simulated: try again later' }
}

function outcomesOf(recipient: RecipientNow): RecipientOutcome[] {
  const { position } = recipient
  const local = localPartOf(recipient)
  const outcome = (status: RecipientOutcome['status'], smtpCode: number, enhancedCode: string, diagnostic: string) => ({
    position,
    status,
    smtpCode,
    enhancedCode,
    diagnostic,
  })
  const sent = outcome('sent', 250, '2.0.0', SIMULATED_RESPONSE)
  if (local.startsWith('bounced')) return [sent, outcome('bounced', 550, '5.1.1', 'simulated: no such mailbox')]
  if (local.startsWith('failed')) return [sent, outcome('failed', 451, '4.4.1', 'simulated: the relay gave up')]
  if (local.startsWith('silent')) return [sent]
  return [sent, outcome('delivered', 250, '2.0.0', 'simulated: delivered')]
}
