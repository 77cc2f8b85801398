// Writes header fields that say what they are given, whatever that is, and nothing else: RFC 5322, RFC 2047.
// Knows nothing of bodies.
import { encodeWord, foldLines } from 'nodemailer/lib/mime-funcs'
import { type MailAddress, UnbuildableMessage, wireAddress } from '../mail-address.ts'

/** RFC 2045 §6.7, RFC 2047 §2: 76 characters to a line with encoded text. */
const LINE_LENGTH = 76
const ENCODED_WORD_LENGTH = 52

/** A field of free text, such as `Subject`, folded, without its line end. */
export function textField(name: string, value: string): string {
  const text = oneLine(value)
  if (text === '') return `${name}:`
  return foldLines(`${name}: ${isPlain(text) ? text : encoded(text)}`, LINE_LENGTH)
}

/** A field of addresses, such as `To`, folded, without its line end. @throws UnbuildableMessage */
export function addressField(name: string, addresses: readonly MailAddress[]): string {
  return foldLines(`${name}: ${addresses.map(mailbox).join(', ')}`, LINE_LENGTH)
}

const MESSAGE_ID = /^<[\x21-\x3b=\x3f-\x7e]{1,900}>$/

/** A field of Message-IDs, such as `References`, a line each, without its line end. @throws UnbuildableMessage */
export function idsField(name: string, ids: readonly string[]): string {
  for (const id of ids) if (!MESSAGE_ID.test(id)) throw new UnbuildableMessage(`A Message-ID in ${name} is malformed.`)
  return `${name}: ${ids.join('\r\n ')}`
}

function mailbox({ name, address }: MailAddress): string {
  const text = oneLine(name ?? '').trim()
  if (text === '') return wireAddress(address)
  return `${displayName(text)} <${wireAddress(address)}>`
}

function displayName(text: string): string {
  if (!isPlain(text)) return encoded(text)
  // RFC 5322 §3.2.4: anything but atoms stands in quotes.
  return /^[\w ]+$/.test(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`
}

/**
 * Text that may stand as it is. Not so: what lacks a place to fold within a line's length, spaces that folding
 * could swallow, and whatever a reader could take for an encoded word although its author did not mean one.
 */
function isPlain(text: string): boolean {
  return /^[\x21-\x7e]{1,60}(?: [\x21-\x7e]{1,60})*$/.test(text) && !text.includes('=?')
}

/** Encoded words (RFC 2047 §2) in whichever of the two encodings is shorter. */
function encoded(text: string): string {
  const beyondAscii = text.replace(/[\0-\x7f]/g, '').length
  return encodeWord(text, beyondAscii * 4 > text.length ? 'B' : 'Q', ENCODED_WORD_LENGTH)
}

/** A line end in a value becomes a space: nothing that is given can begin a field of its own. */
function oneLine(text: string): string {
  return text.toWellFormed().replace(/\r\n|[\r\n]/g, ' ')
}
