// What becomes of sandbox mail, which never reaches a relay: the recipient's local part decides. Pure.
// specification.md#sandbox-outcomes
import type { RecipientOutcome } from '../../messages/decide-outcome.ts'

/** How often mail to `deferred…` is put off before it is delivered. */
const DEFERRALS = 2

/**
 * The outcome of one recipient at an attempt, the first being 0. Undefined: put off, try again later. An outcome other
 * than `sent` comes after the message was sent, as a relay would report it.
 */
export function simulate(
  recipient: { position: number; address: string },
  attempt: number,
): RecipientOutcome | undefined {
  const { position, address } = recipient
  const local = address.slice(0, address.lastIndexOf('@')).toLowerCase()
  const outcome = (status: RecipientOutcome['status'], smtpCode: number, enhancedCode: string, diagnostic: string) => ({
    position,
    status,
    smtpCode,
    enhancedCode,
    diagnostic,
  })
  if (local.startsWith('bounced')) return outcome('bounced', 550, '5.1.1', 'simulated: no such mailbox')
  if (local.startsWith('failed')) return outcome('failed', 451, '4.4.1', 'simulated: the relay gave up')
  if (local.startsWith('silent')) return outcome('sent', 250, '2.0.0', 'simulated: accepted')
  if (local.startsWith('deferred') && attempt < DEFERRALS) return undefined
  return outcome('delivered', 250, '2.0.0', 'simulated: delivered')
}
