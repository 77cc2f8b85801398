// The address that a report names. Pure. What stands in its place may be anything: an address in any of its older
// spellings, a local user, a file, the command line of a program that was to take the mail.

/** RFC 5321 4.5.3.1: 64 octets, an at sign, 255 octets. */
const MAX_ADDRESS_CHARS = 320

/** A local part that is no path nor command line, an at sign and a domain; quoted local parts may hold anything. */
const ADDRESS = /^(?:(?![|/])[^\s@"<>]+|"(?![|/])[^"]*")@[^\s@"<>()|]+$/

/** What is longer than any address is nobody's, and neither are paths and command lines (`|/usr/bin/vacation a@b`). */
export function isAddress(text: string): boolean {
  return text.length <= MAX_ADDRESS_CHARS && ADDRESS.test(text)
}

/**
 * The address in a field such as `rfc822; <@relay.example:a@b.example> (no such user)`: without type, comments, angle
 * brackets and source route (RFC 5321 4.1.2). RFC 6533 3: what ASCII lacks may be written `\x{EB}`. Null when it is
 * none.
 */
export function readAddress(field: string): string | null {
  const value = withoutType(field)
  const bracketed = /<([^<>]*)>/.exec(value)?.[1]
  const address = (bracketed ?? value.replace(/\([^()]*\)/g, ' '))
    .trim()
    .replace(/^@[^:\s]*:/, '')
    .replace(/\\x\{([0-9a-f]{1,6})\}/gi, (_, hex) => characterOf(Number.parseInt(hex, 16)))
    .trim()
  return isAddress(address) ? address : null
}

/** RFC 3464 2.1.2: many fields begin with a type, as in `dns; mx.example.org`; some dialects leave it out. */
export function withoutType(value: string): string {
  return value.replace(/^\s*[a-z0-9-]+\s*;/i, '').trim()
}

function characterOf(codePoint: number): string {
  const isCharacter = codePoint > 0 && codePoint <= 0x10ffff && !(codePoint >= 0xd800 && codePoint <= 0xdfff)
  return isCharacter ? String.fromCodePoint(codePoint) : '\uFFFD'
}
