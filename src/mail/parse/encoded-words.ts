// Reads encoded words (RFC 2047), and the bytes beyond ASCII that headers may not have and do. Pure, and linear: what
// is between two question marks is looked at a fixed number of times.
import { isUtf8 } from 'node:buffer'
import { decodeText } from './charset.ts'

const WORD = /=\?([^?\s]+)\?([bq])\?([^?]*)\?=/gi

/** The value of a field with its encoded words as what they stand for. */
export function decodeWords(value: string): string {
  return replaceWords(value, (text) => text)
}

/** The same value with every encoded word in UTF-8 and base64: for a reader that knows fewer charsets and encoders. */
export function unifyWords(value: string): string {
  return replaceWords(value, (text) => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`)
}

interface Word {
  charset: string
  encoding: string
  text: string
}

/** Words with nothing but white space between them are one text (RFC 2047 6.2). */
function replaceWords(value: string, write: (text: string) => string): string {
  if (!value.includes('=?')) return value
  const pieces: string[] = []
  let row: Word[] = []
  let at = 0
  for (const found of value.matchAll(WORD)) {
    const between = value.slice(at, found.index)
    if (row.length > 0 && !/^[ \t\r\n]*$/.test(between)) {
      pieces.push(write(decodeRow(row)), between)
      row = []
    } else if (row.length === 0) {
      pieces.push(between)
    }
    const [word, charset, encoding, text] = found as unknown as [string, string, string, string]
    // RFC 2231 5: a language may follow the charset.
    row.push({ charset: charset.replace(/\*.*/, '').toLowerCase(), encoding: encoding.toLowerCase(), text })
    at = found.index + word.length
  }
  if (row.length > 0) pieces.push(write(decodeRow(row)))
  pieces.push(value.slice(at))
  return pieces.join('')
}

/**
 * The bytes of neighbours in one charset are one text: many writers divide characters between two words. In UTF-7 they
 * are not, for its words may end within base64.
 */
function decodeRow(row: readonly Word[]): string {
  const texts: string[] = []
  let bytes: Uint8Array[] = []
  const flush = (charset: string) => {
    if (bytes.length > 0) texts.push(decodeText(Buffer.concat(bytes), charset))
    bytes = []
  }
  for (const [i, { charset, encoding, text }] of row.entries()) {
    for (const piece of encoding === 'b' ? decodeB(text) : decodeQ(text)) {
      if (typeof piece !== 'string') bytes.push(piece)
      else {
        flush(charset)
        texts.push(piece)
      }
    }
    if (row[i + 1]?.charset !== charset || /utf-?7/.test(charset)) flush(charset)
  }
  return texts.join('')
}

/** Padding may stand within it, where somebody joined two. */
function decodeB(text: string): Uint8Array[] {
  return text.split(/=+/).map((group) => Buffer.from(group, 'base64'))
}

/** Characters beyond ASCII, which no word may have, are what they are already. */
function decodeQ(text: string): (Uint8Array | string)[] {
  return text.split(/([^\0-\x7f]+)/).map((piece, i) => {
    if (i % 2 === 1) return piece
    const octets = piece
      .replace(/[_\s]/g, ' ')
      .replace(/= *([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    return Buffer.from(octets, 'latin1')
  })
}

/**
 * A line of a header in UTF-8. One that is not (forbidden, and sent all the same) is read as windows-1252, but for what
 * stands in an encoded word, whose charset says what it is. Gives the same bytes back when there is nothing to do.
 */
export function toUtf8Line(line: Uint8Array): Uint8Array {
  if (isUtf8(line)) return line
  const octets = Buffer.from(line).toString('latin1').replace(WORD, escapeOctets)
  return Buffer.from(decodeText(Buffer.from(octets, 'latin1'), 'windows-1252'))
}

function escapeOctets(word: string): string {
  return word.replace(/[\x80-\xff]/g, (octet) => `=${octet.charCodeAt(0).toString(16)}`)
}
