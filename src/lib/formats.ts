// The formats that the request schemas name. Knows nothing of routes.
import { domainToASCII } from 'node:url'
import type { Ajv } from 'ajv'
import { isUuid } from './uuid.ts'

// What can be mailed to, and no more: dot-atom local part of at most 64 octets (RFC 5321 4.5.3.1.1; RFC 6531 lets
// it be UTF-8), a domain of labels with at least one dot, the last of which begins with a letter (RFC 3696 2). No quoted
// local parts, no address literals. contract/rules.ts says the same in patterns.
const LOCAL = /^[^\s\p{C}"(),.:;<>@[\\\]]+(?:\.[^\s\p{C}"(),.:;<>@[\\\]]+)*$/u
const MOST_LOCAL_OCTETS = 64
const MOST_DOMAIN_CHARACTERS = 253
/** Of a path, without its brackets (RFC 5321 4.5.3.1.3). */
const MOST_ADDRESS_OCTETS = 254
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u

/** True for an address that SMTP can carry (RFC 5321 4.1.2, RFC 6531 3.3). */
export function isEmailAddress(text: string): boolean {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, Math.max(0, at))
  const domain = text.slice(at + 1)
  const octets = Buffer.byteLength(local)
  if (octets > MOST_LOCAL_OCTETS || !LOCAL.test(local) || !isDomain(domain)) return false
  // What is beyond ASCII is mailed to by its form in ASCII (RFC 5890), which not every text has.
  const wired = isAscii(domain) ? domain : domainToASCII(domain)
  return isDomain(wired) && octets + 1 + wired.length <= MOST_ADDRESS_OCTETS
}

function isDomain(text: string): boolean {
  const labels = text.split('.')
  return (
    text.length <= MOST_DOMAIN_CHARACTERS &&
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label)) &&
    /^\p{L}/u.test(labels.at(-1) ?? '')
  )
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length
}

/** Text that PostgreSQL and MIME can hold: no NUL, no half of a surrogate pair. */
export function isStorableText(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed()
}

/** RFC 4648 §4, nothing else: no stray character, no missing padding, no bits beyond the end. */
function isBase64(text: string): boolean {
  return Buffer.from(text, 'base64').toString('base64') === text
}

// RFC 9110 §8.3.1: type/subtype of tokens, with parameters whose values are tokens or quoted.
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
export const MEDIA_TYPE_PATTERN = `^${TOKEN}/${TOKEN}(?:[ \\t]*;[ \\t]*${TOKEN}=(?:${TOKEN}|"[ !#-\\[\\]-~]*"))*$`

/** Hexadecimal, in lower case. */
export const SHA256_PATTERN = '^[a-f0-9]{64}$'

/** Adds the formats `uuid`, `email`, `text`, `base64`, `media_type`, `sha256`. */
export function addFormats(ajv: Ajv): Ajv {
  ajv.addFormat('uuid', isUuid)
  ajv.addFormat('email', isEmailAddress)
  ajv.addFormat('text', isStorableText)
  ajv.addFormat('base64', isBase64)
  ajv.addFormat('media_type', new RegExp(MEDIA_TYPE_PATTERN))
  ajv.addFormat('sha256', new RegExp(SHA256_PATTERN))
  for (const documented of ['date-time', 'uri', 'uint32']) ajv.addFormat(documented, true)
  return ajv
}
