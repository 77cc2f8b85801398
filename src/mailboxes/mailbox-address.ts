// The one spelling in which a mailbox's address is kept. Pure.
import { isEmailAddress } from '../lib/formats.ts'
import { asciiDomain } from './domain-name.ts'

/** In lower case, its domain in ASCII; undefined when it is no address. */
export function mailboxAddress(text: string): string | undefined {
  const at = text.lastIndexOf('@')
  const domain = asciiDomain(text.slice(at + 1))
  const address = `${text.slice(0, at).toLowerCase()}@${domain}`
  return domain && isEmailAddress(address) ? address : undefined
}
