// Writes a text so that it survives transport: its transfer encoding (RFC 2045 §6) and its lines. Knows nothing of
// what the text belongs to.
import { setImmediate } from 'node:timers/promises'
import { Encoder, encode, wrap } from 'nodemailer/lib/qp'

export type TransferEncoding = '7bit' | 'quoted-printable' | 'base64'

/** Longer texts are encoded in pieces, so that others get their turn between two of them (some milliseconds each). */
const PIECE_BYTES = 64 * 1024
const LINE_LENGTH = 76
/** Octets that fill one line of base64. */
const BASE64_LINE_BYTES = (LINE_LENGTH / 4) * 3
/** RFC 2045 §6.7 writes such an octet as three; base64 writes every three octets as four. */
const BASE64_PAYS_FROM = 1 / 6

export interface TextBody {
  encoding: TransferEncoding
  /** Encoded, in ASCII, with CRLF. A last line without an end stays without one. */
  chunks(): Iterable<Buffer> | AsyncIterable<Buffer>
}

/** Chooses the encoding: none if the text is harmless as it is, else the shorter of the two. Same text, same bytes. */
export function encodeText(text: string): TextBody {
  const lines = normalLines(text)
  if (isHarmless(lines)) return { encoding: '7bit', chunks: () => [Buffer.from(lines, 'latin1')] }
  const bytes = Buffer.from(lines, 'utf8')
  if (shareBeyondAscii(bytes) > BASE64_PAYS_FROM) return { encoding: 'base64', chunks: () => base64(bytes) }
  return { encoding: 'quoted-printable', chunks: () => quotedPrintable(lines, bytes) }
}

/** The encoding `encodeText` chooses. */
export function transferEncodingOf(text: string): TransferEncoding {
  return encodeText(text).encoding
}

/** The text with each of its line ends as CRLF, as it is sent. */
export function normalLines(text: string): string {
  return text.replace(/\r\n?|\n/g, '\r\n')
}

/** Nothing in it that a server on the way could change: short ASCII lines with nothing white at their ends. */
function isHarmless(lines: string): boolean {
  if (lines.length > PIECE_BYTES || /[^\t\r\n\x20-\x7e]/.test(lines)) return false
  // One regular expression for all lines would look at each character 77 times.
  return lines.split('\r\n').every((line) => line.length <= LINE_LENGTH && !line.endsWith(' ') && !line.endsWith('\t'))
}

function shareBeyondAscii(bytes: Buffer): number {
  let count = 0
  for (const octet of bytes) if (octet > 0x7f) count++
  return count / bytes.length
}

function quotedPrintable(lines: string, bytes: Buffer): Iterable<Buffer> | AsyncIterable<Buffer> {
  if (bytes.length <= PIECE_BYTES) return [Buffer.from(wrap(encode(lines), LINE_LENGTH), 'latin1')]
  return inPieces(bytes)
}

async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  const encoder = new Encoder({ lineLength: LINE_LENGTH })
  for (const piece of pieces(bytes, PIECE_BYTES)) {
    encoder.write(piece)
    yield* drained(encoder)
    await setImmediate()
  }
  encoder.end()
  yield* drained(encoder)
}

function* drained(encoder: Encoder): Generator<Buffer> {
  for (let chunk = encoder.read(); chunk !== null; chunk = encoder.read()) yield chunk
}

async function* base64(bytes: Buffer): AsyncGenerator<Buffer> {
  for (const piece of pieces(bytes, BASE64_LINE_BYTES * 1024)) {
    yield Buffer.from(piece.toString('base64').replace(/.{76}/g, '$&\r\n'), 'latin1')
    if (bytes.length > piece.length) await setImmediate()
  }
}

function* pieces(bytes: Buffer, length: number): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += length) yield bytes.subarray(start, start + length)
}
