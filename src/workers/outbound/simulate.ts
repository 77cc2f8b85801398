// What becomes of sandbox mail, which never reaches a relay: the recipient's local part decides. Pure.
// specification.md#sandbox-outcomes
import type { RecipientNow, RecipientOutcome } from '../../messages/decide-outcome.ts'

/** How often mail to `deferred…` is put off before it is delivered. */
const DEFERRALS = 2

/** What a relay would have answered. */
export const SIMULATED_RESPONSE = '250 2.0.0 simulated'

/**
 * The outcomes of recipients at an attempt, the first being 0; those put off are left out. An outcome other than `sent`
 * comes after the message was sent, as a relay would report it.
 */
export function simulate(recipients: readonly RecipientNow[], attempt: number): RecipientOutcome[] {
  return recipients.flatMap((recipient) => outcomesOf(recipient, attempt))
}

function outcomesOf({ position, address }: RecipientNow, attempt: number): RecipientOutcome[] {
  const local = address.slice(0, address.lastIndexOf('@')).toLowerCase()
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
  if (local.startsWith('deferred') && attempt < DEFERRALS) return []
  return [sent, outcome('delivered', 250, '2.0.0', 'simulated: delivered')]
}
