// Plain text as it is shown: what was quoted apart from what was written, and what may be followed apart from words. Pure.
import { safeTarget } from '../../ui/mail/link-target.ts'

export interface Block {
  isQuoted: boolean
  text: string
}

/** Beyond so many it is all one text: nobody writes between so many quotes. */
const MOST_BLOCKS = 200

/** What is written, and what is quoted with the line that says of whom it is. */
export function blocksOf(text: string): Block[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  const quoted = lines.map((line) => line.startsWith('>'))
  for (const [i, line] of lines.entries()) if (introduces(line) && followedByQuote(lines, i)) quoted[i] = true
  // What stands between two quoted lines and is empty is quoted too.
  for (const [i, line] of lines.entries()) if (line.trim() === '' && quoted[i - 1] && quoted[i + 1]) quoted[i] = true
  const blocks: Block[] = []
  let from = 0
  for (let i = 1; i <= lines.length; i++) {
    if (i < lines.length && quoted[i] === quoted[from]) continue
    blocks.push({ isQuoted: quoted[from] === true, text: lines.slice(from, i).join('\n') })
    from = i
  }
  const shown = blocks.filter(({ text: block }) => block.trim() !== '')
  if (shown.length > MOST_BLOCKS || shown.every(({ isQuoted }) => isQuoted)) return [{ isQuoted: false, text }]
  return shown.map(({ isQuoted, text: block }) => ({ isQuoted, text: block.replace(/^\n+|\s+$/g, '') }))
}

/** "On Monday Ada wrote:", in whatever language. */
const introduces = (line: string): boolean => line.length < 300 && !line.startsWith('>') && /:\s*$/.test(line)

function followedByQuote(lines: readonly string[], at: number): boolean {
  const next = lines[at + 1]?.trim() === '' ? lines[at + 2] : lines[at + 1]
  return next?.startsWith('>') === true
}

export interface Piece {
  text: string
  /** Where it leads. */
  href?: string
}

const MOST_LINKS = 2_000
/** Without what is not seen: it would make one address look like another. */
const LINK = /(?:https?:\/\/|mailto:)[^\s<>"\p{Cc}\p{Cf}]{1,2048}/giu

/** Words, and the addresses among them, which lead where they say. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (const { 0: found, index } of text.matchAll(LINK)) {
    if (pieces.length >= MOST_LINKS) break
    const address = withoutPunctuation(found)
    const target = safeTarget(address)
    if (!target) continue
    if (index > from) pieces.push({ text: text.slice(from, index) })
    pieces.push({ text: address, href: target.href })
    from = index + address.length
  }
  if (from < text.length) pieces.push({ text: text.slice(from) })
  return pieces
}

/** What ends a sentence, or closes a bracket that stands before the address, is none of it. */
function withoutPunctuation(address: string): string {
  let end = address.length
  for (; end > 0; end--) {
    const last = address[end - 1] as string
    const opening = { ')': '(', ']': '[', '}': '{' }[last]
    const isUnpaired = opening !== undefined && count(address, opening, end) < count(address, last, end)
    if (!/[.,;:!?'"*_]/.test(last) && !isUnpaired) break
  }
  return address.slice(0, end)
}

const count = (text: string, character: string, end: number): number => {
  let found = 0
  for (let i = 0; i < end; i++) if (text[i] === character) found++
  return found
}
