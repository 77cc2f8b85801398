// What becomes of sandbox mail, which never reaches a relay: the recipient's local part decides. Pure.
// specification.md#sandbox-outcomes
import type { RecipientNews } from '../../messages/decide-outcome.ts'

/** How often mail to `deferred…` is put off before it is delivered. */
const DEFERRALS = 2

/**
 * The fate of one recipient, on the so-manieth attempt from 0. Undefined: put off, try again later. A fate other
 * than `sent` is told after the message was sent, as a relay would report it.
 */
export function simulate(recipient: { position: number; address: string }, attempt: number): RecipientNews | undefined {
  const { position, address } = recipient
  const local = address.slice(0, address.lastIndexOf('@')).toLowerCase()
  const news = (status: RecipientNews['status'], smtpCode: number, enhancedCode: string, diagnostic: string) => ({
    position,
    status,
    smtpCode,
    enhancedCode,
    diagnostic,
  })
  if (local.startsWith('bounced')) return news('bounced', 550, '5.1.1', 'simulated: no such mailbox')
  if (local.startsWith('failed')) return news('failed', 451, '4.4.1', 'simulated: the relay gave up')
  if (local.startsWith('silent')) return news('sent', 250, '2.0.0', 'simulated: accepted')
  if (local.startsWith('deferred') && attempt < DEFERRALS) return undefined
  return news('delivered', 250, '2.0.0', 'simulated: delivered')
}
