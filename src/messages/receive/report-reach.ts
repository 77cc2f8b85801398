// Whose outcome a report that came by mail may decide. Every recipient of a message sees its return path, and may send
// there whatever it likes: what a report says counts as far as it proves where it is from. Pure. ADR 31.
import { isWithin, type Network } from '../../lib/network.ts'
import type { ReportReach } from '../apply-report.ts'

export interface ReportOrigin {
  /** The envelope sender; empty for the null sender. */
  sender: string
  /** Of the host that brought it. */
  clientAddress: string
  /** True when it carries the envelope id of the message it came back for. */
  hasEnvelopeId: boolean
}

/**
 * `relays`: networks of the relays, none when they are not named. RFC 3464 §2: a report has the null sender. Without
 * proof it counts for a message's only recipient, who can be spoken of by nobody else, unless the relays are named.
 */
export function reachOf(
  { sender, clientAddress, hasEnvelopeId }: ReportOrigin,
  relays: readonly Network[],
): ReportReach | 'nobody' {
  if (sender !== '') return 'nobody'
  if (hasEnvelopeId || isWithin(clientAddress, relays)) return 'any_recipient'
  return relays.length === 0 ? 'only_recipient' : 'nobody'
}
