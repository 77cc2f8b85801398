// The words of an HTML document. Pure. Scans once from left to right, for HTML is whatever someone sent: a pattern over
// it all could be made to take for ever.
import { decodeHTML } from 'entities/decode'

/** The words alone, with a blank for each tag: up to `maxChars` of them, and somewhat more. */
export function htmlWords(html: string, maxChars: number): string {
  return wordsOf(html, maxChars, () => ' ')
}

/** The words in lines, as they would be seen: up to `maxChars` of them, and somewhat more. */
export function htmlToText(html: string, maxChars: number): string {
  const words = wordsOf(html, maxChars, breakFor)
  const lines: string[] = []
  for (const [, text = '', ending = ''] of words.matchAll(/([^\n\v\f]*)([\n\v\f]?)/g)) {
    const line = text.replace(/[ \t\r]+/g, ' ').trim()
    if (line !== '' || ending === LINE) lines.push(line)
    if (ending === PARAGRAPH && lines.at(-1) !== '') lines.push('')
  }
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** Ends a line, which may be empty. */
const LINE = '\n'
/** What follows begins a line: where one has just begun, it is that. */
const BEGINNING = '\v'
/** What follows begins a line, with an empty one above it. */
const PARAGRAPH = '\f'

function breakFor(tag: string): string {
  if (/^<\/?br\b/i.test(tag)) return LINE
  if (APART.test(tag)) return PARAGRAPH
  if (BLOCK.test(tag)) return BEGINNING
  return CELL.test(tag) ? ' ' : ''
}

const BLOCK =
  /^<\/?(?:address|article|aside|blockquote|body|br|center|dd|div|dl|dt|fieldset|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|table|tr|ul)\b/i
const APART = /^<\/?(?:blockquote|dl|h[1-6]|hr|ol|p|pre|table|ul)\b/i
const CELL = /^<\/?t[dh]\b/i

/**
 * The words that whoever opens it would see: up to `maxChars` of them, and somewhat more. What an element hides by itself, such as
 * the first line that newsletters write for lists, is not among them; style sheets elsewhere are not looked into.
 */
export function seenWords(html: string, maxChars: number): string {
  return wordsOf(html, maxChars, (tag) => (BLOCK.test(tag) || CELL.test(tag) ? ' ' : ''), endOfHidden)
}

function wordsOf(html: string, maxChars: number, gapFor: (tag: string) => string, endOf = endOfTag): string {
  let words = ''
  let at = 0
  while (at < html.length && words.length < maxChars) {
    const tag = html.indexOf('<', at)
    words += beginningOf(html.slice(at, tag === -1 ? undefined : tag), maxChars).replace(/\s/g, ' ')
    if (tag === -1) break
    const end = endOf(html, tag)
    if (end === -1) break
    words += gapFor(html.slice(tag, tag + LONGEST_TAG_NAME))
    at = end
  }
  return decodeHTML(words).replaceAll(NO_BREAK_SPACE, ' ')
}

/** No half of a surrogate pair at its end: no database takes that, and no mail. */
function beginningOf(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : text.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, '')
}

const LONGEST_TAG_NAME = 16
const NO_BREAK_SPACE = '\u00A0'

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

/** Of a tag, which may have some hundred attributes. */
const MOST_OF_A_TAG = 4_000
const HIDES =
  /\shidden(?=[\s=/>])|\sstyle\s*=\s*(?:"[^"]*|'[^']*|[^\s>]*)(?:display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|font-size\s*:\s*0(?:px|pt|em|%)?\s*(?:[;"']|!important|$))/i
/** What ends with its tag. */
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i

/** As `endOfTag`, and where what hides itself ends: of one that is never closed nothing is seen. */
function endOfHidden(html: string, tag: number): number {
  const end = endOfTag(html, tag)
  if (end === -1 || end - tag > MOST_OF_A_TAG) return end
  const text = html.slice(tag, end)
  const [, name] = /^<([a-z][a-z0-9]*)/i.exec(text) ?? []
  if (name === undefined || VOID.test(name) || !HIDES.test(text)) return end
  const same = new RegExp(`<(/?)${name}(?=[\\s/>])`, 'gi')
  same.lastIndex = end
  let depth = 1
  for (let found = same.exec(html); found; found = same.exec(html)) {
    depth += found[1] === '/' ? -1 : 1
    if (depth === 0) return after(html.indexOf('>', found.index), 1)
  }
  return -1
}

function after(index: number, length: number): number {
  return index === -1 ? -1 : index + length
}
