// Which addresses count as one where mail is stopped, and what is said of a recipient who gets none. Pure.
// specification.md#stopped-addresses
import { canonicalAddress } from '../mail/mail-address.ts'

/** What stands as the diagnostic of a recipient that gets nothing, as the address is stopped. */
export const SUPPRESSED = 'suppressed'

/**
 * What an address is stopped by: its domain in ASCII, all of it in lower case. Of two spellings that differ in the case of the
 * local part nearly every mail system makes one mailbox (RFC 5321 §2.4 leaves it to them), and reports change it.
 */
export function suppressionKey(address: string): string {
  return canonicalAddress(address).toLowerCase()
}

/** Those of recipients in their order; null where each is the address with its letters of ASCII in lower case, as nearly always. */
export function suppressionKeys(recipients: readonly { address: string }[]): string[] | null {
  if (recipients.every(({ address }) => IN_ASCII.test(address))) return null
  return recipients.map(({ address }) => suppressionKey(address))
}

const IN_ASCII = /^[\x20-\x7e]*$/
