// Writes an attached file: its header fields (RFC 2183, RFC 2231) and its octets as base64 (RFC 2045 §6.8).
import { Readable } from 'node:stream'
import { buildHeaderValue, encodeWord, foldLines, parseHeaderValue } from 'nodemailer/lib/mime-funcs'
import type { FilePart } from './layout.ts'

const LINE_LENGTH = 76
/** Octets that fill one line of base64. */
const LINE_BYTES = (LINE_LENGTH / 4) * 3
const PIECE_BYTES = LINE_BYTES * 1024

/** The part's fields, folded, without the last line end. */
export function fileFields({ attachment, inline }: FilePart): string {
  const { value, params } = contentTypeOf(attachment.mediaType)
  const filename = oneLine(attachment.filename)
  // Old readers know the name by this only, and as an encoded word (never allowed, always understood).
  const name = /^[\w .-]+$/.test(filename) ? `"${filename}"` : `"${encodeWord(filename, 'B', 52)}"`
  const type = [buildHeaderValue({ value, params }), `name=${name}`].join('; ')
  const disposition = buildHeaderValue({ value: inline ? 'inline' : 'attachment', params: { filename } })
  return [
    foldLines(`Content-Type: ${type}`, LINE_LENGTH),
    ...(inline ? [`Content-ID: <${attachment.id}>`] : []),
    foldLines(`Content-Disposition: ${disposition}`, LINE_LENGTH),
    'Content-Transfer-Encoding: base64',
  ].join('\r\n')
}

/** Composite types may not be encoded (RFC 2045 §6.4), and a file is to arrive octet by octet. */
function contentTypeOf(mediaType: string): { value: string; params: Record<string, string> } {
  const { value, params } = parseHeaderValue(mediaType)
  if (/^(multipart|message)\//i.test(value)) return { value: 'application/octet-stream', params: {} }
  const { name: _name, ...others } = params
  return { value, params: others }
}

/** What readers see as the part's type. */
export function shownContentType(mediaType: string): { contentType: string; parameters: Record<string, string> } {
  const { value, params } = contentTypeOf(mediaType)
  return { contentType: value.toLowerCase(), parameters: params }
}

/** Base64 in lines, without an end of the last. @throws what reading throws */
export async function* fileBody(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0)
  let first = true
  for await (const chunk of bytes instanceof Readable ? bytes.iterator({ destroyOnReturn: true }) : bytes) {
    rest = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk])
    const whole = rest.length - (rest.length % LINE_BYTES)
    // The last full line waits: only what follows says whether a line end does.
    const ready = whole === rest.length ? whole - LINE_BYTES : whole
    if (ready < PIECE_BYTES) continue
    yield lines(rest.subarray(0, ready), first)
    rest = rest.subarray(ready)
    first = false
  }
  if (rest.length > 0) yield lines(rest, first)
}

function lines(bytes: Buffer, first: boolean): Buffer {
  const text = bytes.toString('base64').replace(/.{76}(?=.)/g, '$&\r\n')
  return Buffer.from(first ? text : `\r\n${text}`, 'latin1')
}

/** How many octets `fileBody` makes of so many. */
export function fileBodySize(sizeBytes: number): number {
  const characters = Math.ceil(sizeBytes / 3) * 4
  return characters + Math.max(0, Math.ceil(characters / LINE_LENGTH) - 1) * 2
}

function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must go.
  return text.toWellFormed().replace(/[\u0000-\u001f\u007f]+/g, ' ')
}
