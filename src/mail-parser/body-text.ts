// What people read of a message: text that the database can store, bodies cut to their limit, and the preview.
// Pure; knows nothing of MIME.
import { MAX_BODY_BYTES, MAX_PREVIEW_CHARS } from './parsed-message.ts'

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

/** The first words of a message on one line: of its text, or of its HTML without tags where there is no text. */
export function makePreview(text: string | null, html: string | null): string {
  const words = oneLine((text ?? '').slice(0, PREVIEW_SOURCE_CHARS)) || oneLine(htmlWords(html ?? ''))
  if (words.length <= MAX_PREVIEW_CHARS) return words
  return words.slice(0, MAX_PREVIEW_CHARS).replace(/[\uD800-\uDBFF]$/, '')
}

/** Enough to fill a preview when most of it is blank. */
const PREVIEW_SOURCE_CHARS = 10_000

/**
 * White space, and runs of the invisible characters with which newsletters fill their preview. A single invisible
 * one stays: it joins emoji and parts letters.
 */
const BLANK = /(?:[\s\u00AD\u200B-\u200F\u2060\uFEFF]|\u034F){2,}|\s/g

function oneLine(text: string): string {
  return text.replace(BLANK, ' ').trim()
}

/**
 * The text between tags, up to a preview's worth. Scans once from left to right, for HTML is whatever someone sent:
 * a pattern over it all could be made to take for ever.
 */
function htmlWords(html: string): string {
  let words = ''
  let at = 0
  while (at < html.length && words.length < PREVIEW_SOURCE_CHARS) {
    const tag = html.indexOf('<', at)
    words += html.slice(at, tag === -1 ? undefined : tag).slice(0, PREVIEW_SOURCE_CHARS)
    if (tag === -1) break
    const end = endOfTag(html, tag)
    if (end === -1) break
    words += ' '
    at = end
  }
  return words.replace(ENTITY, decodeEntity)
}

const UNSEEN = /<(style|script|head|title|template)\b/iy

/** Where the tag at `tag` ends, with all its content when nobody sees that; -1 when it never does. */
function endOfTag(html: string, tag: number): number {
  if (html.startsWith('<!--', tag)) return after(html.indexOf('-->', tag + 4), 3)
  UNSEEN.lastIndex = tag
  const name = UNSEEN.exec(html)?.[1]
  if (name === undefined) return after(html.indexOf('>', tag), 1)
  const closing = new RegExp(`</${name}\\b`, 'gi')
  closing.lastIndex = tag
  const close = closing.exec(html)
  return close ? after(html.indexOf('>', close.index), 1) : -1
}

function after(index: number, length: number): number {
  return index === -1 ? -1 : index + length
}

const ENTITY =
  /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos|nbsp|zwnj|zwj|shy|hellip|mdash|ndash|rsquo|lsquo|rdquo|ldquo|copy|reg|euro));?/gi

/** Those that mail is full of; the rest stays as written, in a preview only. */
const NAMED_ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  zwnj: ' ',
  zwj: ' ',
  shy: ' ',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  rsquo: '’',
  lsquo: '‘',
  rdquo: '”',
  ldquo: '“',
  copy: '©',
  reg: '®',
  euro: '€',
}

function decodeEntity(entity: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return NAMED_ENTITIES[name.toLowerCase()] ?? entity
  const code = decimal !== undefined ? Number(decimal) : Number.parseInt(hex ?? '', 16)
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\uFFFD'
}
