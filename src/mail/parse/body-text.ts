// What people read of a message: text that the database can store, and bodies cut to their limit. Pure; knows nothing
// of MIME.
import { MAX_BODY_BYTES } from './parsed-message.ts'

/** PostgreSQL refuses NUL in text and half a surrogate pair in JSON: both become U+FFFD. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed()
}

export interface Body {
  text: string | null
  truncated: boolean
}

/** A body with plain line feeds, cut to 1 MiB of UTF-8, never within a character. */
export function cutBody(body: string | null | undefined): Body {
  if (body === null || body === undefined) return { text: null, truncated: false }
  // Cut roughly before anything looks at every line: a line break is at most two characters for one.
  const { text, truncated } = cutText(body.slice(0, MAX_BODY_BYTES * 2).replaceAll('\r\n', '\n'))
  return { text, truncated: truncated || body.length > MAX_BODY_BYTES * 2 }
}

/** A text as it is, cut to 1 MiB of UTF-8, never within a character. */
export function cutText(text: string): { text: string; truncated: boolean } {
  if (Buffer.byteLength(text) <= MAX_BODY_BYTES) return { text, truncated: false }
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(MAX_BODY_BYTES))
  return { text: text.slice(0, read), truncated: true }
}

/**
 * Text of `format=flowed` (RFC 3676) with its paragraphs in one line each: up to `maxChars` of it, and somewhat more.
 * @param deletesSpace `delsp=yes`: the blank at the end of a line is there for folding only
 */
export function unflow(text: string, deletesSpace: boolean, maxChars: number): string {
  const pieces: string[] = []
  let length = 0
  /** How deep the line that goes on is quoted; -1 when none does. */
  let flowing = -1
  for (let at = 0; at <= text.length && length < maxChars; ) {
    const feed = text.indexOf('\n', at)
    const end = feed === -1 ? text.length : feed
    const line = text.slice(at, text[end - 1] === '\r' && end > at ? end - 1 : end)
    const depth = quoteDepth(line)
    const content = line.slice(line[depth] === ' ' ? depth + 1 : depth)
    const goesOn = content.endsWith(' ') && content !== SIGNATURE
    const begins = flowing !== depth || content === SIGNATURE
    const shown = goesOn && deletesSpace ? content.slice(0, -1) : content
    const piece = begins ? `${at === 0 ? '' : '\n'}${line.slice(0, depth)}${depth > 0 ? ' ' : ''}${shown}` : shown
    pieces.push(piece)
    length += piece.length
    flowing = goesOn ? depth : -1
    at = end + 1
  }
  return pieces.join('')
}

/** RFC 3676 4.3: a line of its own that ends with a blank. */
const SIGNATURE = '-- '

function quoteDepth(line: string): number {
  let depth = 0
  while (line[depth] === '>') depth++
  return depth
}
