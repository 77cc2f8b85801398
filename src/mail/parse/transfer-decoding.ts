// Takes the transfer encoding off a body (RFC 2045 6): exactly where it is right, as well as can be where it is not.
// Pure. Each body is read once, from left to right.
import { BASE64_VALUES } from './seven-bit-charsets.ts'

const CR = 0x0d
const LF = 0x0a
const TAB = 0x09
const SPACE = 0x20
const EQUALS = 0x3d

/** @returns bytes that own their buffer */
export function decodeTransfer(body: Uint8Array, encoding: string): Uint8Array<ArrayBuffer> {
  if (encoding.includes('base64')) return decodeBase64(body)
  if (encoding.startsWith('quoted')) return decodeQuotedPrintable(body)
  if (/^(x-)?uue(ncode)?$/.test(encoding)) return decodeUuencode(body) ?? (body.slice() as Uint8Array<ArrayBuffer>)
  return body.slice() as Uint8Array<ArrayBuffer>
}

/**
 * Passes over what is no base64, and ends at the padding (RFC 2045 6.8): what stands behind it is what somebody added.
 * Only where line after line is padded, as some write it, do the next ones belong to it.
 */
function decodeBase64(body: Uint8Array): Uint8Array<ArrayBuffer> {
  const decoded = new Uint8Array(Math.ceil(body.length / 4) * 3)
  let length = 0
  let bits = 0
  let count = 0
  let padded = 0
  for (let i = 0; i < body.length; i++) {
    const byte = body[i] as number
    const value = BASE64_VALUES[byte] as number
    if (value !== -1) {
      bits = ((bits << 6) | value) & 0xffffff
      count += 1
      if (count === 4) {
        decoded[length++] = bits >> 16
        decoded[length++] = bits >> 8
        decoded[length++] = bits
        count = 0
      }
    } else if (byte === EQUALS && (length > 0 || count > 0)) {
      length = writeRest(decoded, length, bits, count)
      count = 0
      padded += 1
      const next = nextPaddedLine(body, i, padded > 1)
      if (next === -1) break
      i = next - 1
    }
  }
  length = writeRest(decoded, length, bits, count)
  return decoded.slice(0, length)
}

/** The one or two bytes of a group that is not full. */
function writeRest(decoded: Uint8Array, length: number, bits: number, count: number): number {
  if (count < 2) return length
  const whole = bits << (6 * (4 - count))
  decoded[length] = whole >> 16
  if (count === 3) decoded[length + 1] = whole >> 8
  return length + count - 1
}

/**
 * Where a line begins that is whole base64 with padding of its own, below the line with the padding at `at`; or -1. The
 * last of several may need no padding.
 */
function nextPaddedLine(body: Uint8Array, at: number, mayBeLast: boolean): number {
  let i = at
  while (body[i] === EQUALS) i++
  while (body[i] === CR || body[i] === LF || body[i] === SPACE || body[i] === TAB) i++
  const start = i
  while (BASE64_VALUES[body[i] ?? 0] !== -1) i++
  const padding = i
  while (body[i] === EQUALS) i++
  const isWhole = i > start && (i > padding || mayBeLast) && (i - start) % 4 === 0
  return isWhole && (i === body.length || body[i] === CR || body[i] === LF) ? start : -1
}

/**
 * RFC 2045 6.7, robustly: an equals sign that begins neither an escape nor a soft line break stays. White space at the end of
 * a line goes: somebody added it on the way (rule 3).
 */
function decodeQuotedPrintable(body: Uint8Array): Uint8Array<ArrayBuffer> {
  const decoded = new Uint8Array(body.length)
  let length = 0
  // How many of the last bytes that were written are white and stand so in the body.
  let blanks = 0
  for (let i = 0; i < body.length; i++) {
    const byte = body[i] as number
    if (byte === SPACE || byte === TAB) {
      decoded[length++] = byte
      blanks++
      continue
    }
    if (byte === LF || (byte === CR && body[i + 1] === LF)) length -= blanks
    blanks = 0
    const escaped = byte === EQUALS ? hexPair(body, i + 1) : -1
    const lineEnd = byte === EQUALS && escaped === -1 ? softBreakEnd(body, i + 1) : -1
    if (escaped !== -1) {
      decoded[length++] = escaped
      i += 2
    } else if (lineEnd !== -1) {
      i = lineEnd
    } else {
      decoded[length++] = byte
    }
  }
  return decoded.slice(0, length - blanks)
}

function hexPair(body: Uint8Array, at: number): number {
  const high = HEX_VALUES[body[at] ?? 0] as number
  const low = HEX_VALUES[body[at + 1] ?? 0] as number
  return high === -1 || low === -1 ? -1 : high * 16 + low
}

/** Of each byte; -1 of those that are no hexadecimal digit. */
const HEX_VALUES = Int8Array.from({ length: 256 }, (_, byte) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(byte).toLowerCase()),
)

/** The offset of the last byte of a soft line break whose `=` stands before `at`; -1 when it is none. */
function softBreakEnd(body: Uint8Array, at: number): number {
  let i = at
  while (body[i] === SPACE || body[i] === TAB || body[i] === CR) i++
  return i >= body.length || body[i] === LF ? i : -1
}

/** POSIX uuencode: from `begin` to `end` or an empty line of data. Null when nothing of it is there. */
function decodeUuencode(body: Uint8Array): Uint8Array<ArrayBuffer> | null {
  const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1')
  const begin = /^begin [0-7]{3,4} [^\n]*\n/m.exec(text)
  if (!begin) return null
  const decoded = new Uint8Array(body.length)
  let length = 0
  for (let at = begin.index + begin[0].length; at < body.length; ) {
    const feed = body.indexOf(LF, at)
    const end = feed === -1 ? body.length : feed
    const expected = sextet(body[at])
    if (expected === 0 || text.startsWith('end', at)) break
    for (let i = at + 1, written = 0; written < expected && i < end; i += 4) {
      const bits = [0, 1, 2, 3].reduce((sum, n) => (sum << 6) | (i + n < end ? sextet(body[i + n]) : 0), 0)
      for (let shift = 16; shift >= 0 && written < expected; shift -= 8, written++) decoded[length++] = bits >> shift
    }
    at = end + 1
  }
  return length === 0 ? null : decoded.slice(0, length)
}

/** A blank and a backtick are both zero; a line break, at the end of a shortened line, too. */
function sextet(byte: number | undefined): number {
  return byte === undefined || byte === CR || byte === LF ? 0 : (byte - SPACE) & 0x3f
}
