// The first words of a message, for lists: of one that is sent and of one that came in. Pure.
import { MAX_PREVIEW_CHARS } from './parsed-message.ts'

/**
 * The first words of a message on one line, 200 UTF-16 units at most: of its text, or of its HTML without tags where
 * there is no text. Of well-formed input comes what PostgreSQL can store.
 */
export function makePreview(text: string | null | undefined, html: string | null | undefined): string {
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
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
  return isCharacter ? String.fromCodePoint(code) : '\uFFFD'
}
