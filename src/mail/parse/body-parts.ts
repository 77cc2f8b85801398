// Says which parts of a message are its text and which its HTML; all others are attachments. RFC 8621 4.1.4, with two
// differences that our results have: a picture is an attachment wherever it stands, and so is what would show nowhere.
// Pure; knows nothing of bytes.
import type { MimePart } from '../mime-part.ts'

export interface BodyParts {
  /** What is read one below the other by who reads text, `text/html` where there is no alternative to it. */
  text: MimePart[]
  /** The same for who reads HTML, `text/plain` where there is no alternative to it. */
  html: MimePart[]
}

/** MAX_NESTING_DEPTH bounds the recursion. */
export function bodyPartsOf(root: MimePart): BodyParts {
  const bodies: BodyParts = { text: [], html: [] }
  collect([root], 'mixed', false, bodies.text, bodies.html)
  return bodies
}

/** A multipart in which no boundary was found: what stands there is all that it says. */
export function isUnmarked(part: MimePart): boolean {
  return part.contentType.startsWith('multipart/') && part.parts.length === 0
}

export function isPlainText(part: MimePart): boolean {
  return part.contentType === 'text/plain' || isUnmarked(part)
}

export function isHtml(part: MimePart): boolean {
  return part.contentType === 'text/html'
}

/** A list is null where an alternative shows what would belong to it. */
function collect(
  parts: readonly MimePart[],
  subtype: string,
  inAlternative: boolean,
  text: MimePart[] | null,
  html: MimePart[] | null,
): void {
  const before = { text: text?.length, html: html?.length }
  for (const [i, part] of parts.entries()) {
    if (part.parts.length > 0) {
      const inner = part.contentType.slice('multipart/'.length)
      collect(part.parts, inner, inAlternative || inner === 'alternative', text, html)
    } else if (isInline(part, i, subtype)) {
      if (subtype === 'alternative') {
        ;(isHtml(part) ? html : text)?.push(part)
        continue
      }
      if (inAlternative && isPlainText(part)) html = null
      if (inAlternative && isHtml(part)) text = null
      text?.push(part)
      html?.push(part)
    }
  }
  if (subtype !== 'alternative' || !text || !html) return
  // Who reads the kind that the alternative does not have is shown the other.
  if (text.length === before.text) text.push(...html.slice(before.html))
  else if (html.length === before.html) html.push(...text.slice(before.text))
}

/** Of related parts the first alone; a text with a name is a file, unless it comes first. */
function isInline(part: MimePart, index: number, subtype: string): boolean {
  if (part.disposition === 'attachment' || !(isPlainText(part) || isHtml(part))) return false
  return index === 0 || (subtype !== 'related' && part.filename === null)
}
