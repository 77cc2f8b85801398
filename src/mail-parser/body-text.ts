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
