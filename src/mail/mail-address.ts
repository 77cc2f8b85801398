// The form in which SMTP and MIME carry a mail address, and which spellings mean the same one. Knows nothing of who
// may use it.
import { domainToASCII, domainToUnicode } from 'node:url'

/** An address in a header field. */
export interface MailAddress {
  /** As written, without display name; empty where the field holds a name only. */
  address: string
  /** Display name. */
  name: string | null
}

/** A message that cannot be written down as mail, whatever is tried. Says which part of it. */
export class UnbuildableMessage extends Error {
  override name = 'UnbuildableMessage'
}

// RFC 5322 §3.2.3 dot-atom; RFC 6532 §3.2 adds everything beyond ASCII.
const LOCAL = /^[\w!#$%&'*+/=?^`{|}~\u0080-\u{10ffff}-]+(?:\.[\w!#$%&'*+/=?^`{|}~\u0080-\u{10ffff}-]+)*$/u
const HIDDEN = /[\p{C}\p{Z}]/u
const DOMAIN = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/i

/**
 * `jürgen@münchen.example` → `jürgen@xn--mnchen-3ya.example`: the domain in ASCII (RFC 5890), which every relay
 * takes, the local part as it is. Use it for headers and envelope alike, so that both say the same.
 * @throws UnbuildableMessage when it is no address that can be written
 */
export function wireAddress(address: string): string {
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at)
  const domain = asciiDomain(address.slice(at + 1))
  if (at < 1 || !LOCAL.test(local) || HIDDEN.test(address) || !DOMAIN.test(domain)) {
    throw new UnbuildableMessage(`${JSON.stringify(address)} cannot be written as a mail address.`)
  }
  return `${local}@${domain}`
}

/**
 * The one spelling of all that mean the same address: `Jürgen@MÜNCHEN.example` → `Jürgen@xn--mnchen-3ya.example`, the
 * domain in ASCII (RFC 5890) and lower case, the local part, whose case may matter (RFC 5321 §2.4), as it is. A domain
 * that has no form in ASCII stays. Compare addresses by it; takes any text.
 */
export function canonicalAddress(address: string): string {
  const at = address.lastIndexOf('@') + 1
  const domain = address.slice(at)
  return address.slice(0, at) + (asciiDomain(domain) || domain).toLowerCase()
}

/**
 * Every spelling in which an address may be written down, its letters of ASCII small: as it is, with its domain in ASCII and
 * with its domain in Unicode. For finding what people wrote, who do not tell the case of a local part.
 */
export function spellingsOf(address: string): string[] {
  const at = address.lastIndexOf('@') + 1
  const ascii = canonicalAddress(address)
  const unicode = address.slice(0, at) + domainToUnicode(ascii.slice(at))
  return [...new Set([address, ascii, unicode].map((text) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())))]
}

/** True when the local part goes beyond ASCII, which only a relay with SMTPUTF8 (RFC 6531) may be given. */
export function needsSmtpUtf8(address: string): boolean {
  return /[^\0-\x7f]/.test(address.slice(0, address.lastIndexOf('@')))
}

/** Empty when there is none. An ordinary domain comes back at once, in the case it has. */
function asciiDomain(given: string): string {
  if (DOMAIN.test(given)) return given
  // domainToASCII reads URLs: what means something there, and white space, would be cut away.
  return /[^\w.\u0080-\u{10ffff}-]/u.test(given) ? '' : domainToASCII(given)
}
