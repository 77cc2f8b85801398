// Charsets that write other scripts in seven bits and switch between them and ASCII. The runtime has dropped them, for
// they can hide tags from what looks at bytes, and no kept library reads them all in linear time. Pure.

const EUC_KR = new TextDecoder('euc-kr')
const GB = new TextDecoder('gb18030')

const SHIFT_OUT = 0x0e
const SHIFT_IN = 0x0f
const ESCAPE = 0x1b
const LF = 0x0a
const PLUS = 0x2b
const MINUS = 0x2d
const TILDE = 0x7e
const BRACE_OPEN = 0x7b
const BRACE_CLOSE = 0x7d
const EIGHTH_BIT = 0x80

/** RFC 1557: KS X 1001 between SO and SI, at most to the end of the line. */
export function decodeIso2022Kr(bytes: Uint8Array): string {
  const wide = new Uint8Array(bytes.length)
  let length = 0
  let shifted = false
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number
    if (byte === SHIFT_OUT) shifted = true
    else if (byte === SHIFT_IN) shifted = false
    else if (byte === ESCAPE && isDesignator(bytes, i)) i += 3
    else {
      if (byte === LF) shifted = false
      wide[length++] = shifted && byte > 0x20 && byte < 0x7f ? byte | EIGHTH_BIT : byte
    }
  }
  return EUC_KR.decode(wide.subarray(0, length))
}

/** `ESC $ ) C`, which says what SO stands for: nothing else, in this charset. */
function isDesignator(bytes: Uint8Array, at: number): boolean {
  return bytes[at + 1] === 0x24 && bytes[at + 2] === 0x29 && bytes[at + 3] === 0x43
}

/** RFC 1843: GB 2312 between `~{` and `~}`, at most to the end of the line; `~~` is a tilde, `~` and a line feed nothing. */
export function decodeHz(bytes: Uint8Array): string {
  const wide = new Uint8Array(bytes.length)
  let length = 0
  let shifted = false
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number
    const next = bytes[i + 1]
    if (!shifted && byte === TILDE && (next === BRACE_OPEN || next === TILDE || next === LF)) {
      if (next === TILDE) wide[length++] = TILDE
      shifted = next === BRACE_OPEN
      i += 1
    } else if (shifted && byte === TILDE && next === BRACE_CLOSE) {
      shifted = false
      i += 1
    } else if (shifted && byte > 0x20 && byte < 0x7f && next !== undefined && next > 0x20 && next < 0x7f) {
      wide[length++] = byte | EIGHTH_BIT
      wide[length++] = next | EIGHTH_BIT
      i += 1
    } else {
      if (byte === LF) shifted = false
      wide[length++] = byte
    }
  }
  return GB.decode(wide.subarray(0, length))
}

/** RFC 2152: UTF-16 as base64 without padding between `+` and what is no base64, of which a `-` goes with it. */
export function decodeUtf7(bytes: Uint8Array): string {
  const units = new Uint16Array(bytes.length)
  let length = 0
  /** Bits read of the unit that is coming; -1 outside base64. */
  let pending = -1
  let bits = 0
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number
    const value = pending === -1 ? -1 : (BASE64_VALUES[byte] as number)
    if (value !== -1) {
      bits = ((bits << 6) | value) & 0x3fffff
      pending += 6
      if (pending < 16) continue
      pending -= 16
      units[length++] = (bits >> pending) & 0xffff
    } else if (pending !== -1) {
      pending = -1
      // The byte that ends it stands for itself, unless it is the minus that is there to end it.
      if (byte !== MINUS) i -= 1
    } else if (byte === PLUS && BASE64_VALUES[bytes[i + 1] ?? 0] === -1) {
      units[length++] = PLUS
      if (bytes[i + 1] === MINUS) i += 1
    } else if (byte === PLUS) {
      pending = 0
      bits = 0
    } else {
      units[length++] = byte
    }
  }
  return Buffer.from(units.buffer, 0, length * 2).toString('utf16le')
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
/** Of each byte; -1 of those that are no base64. */
export const BASE64_VALUES = Int8Array.from({ length: 256 }, (_, byte) => BASE64.indexOf(String.fromCharCode(byte)))
