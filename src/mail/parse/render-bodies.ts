// Writes the parts that are a message's text, or its HTML, one below the other. Pure.
import { escapeText } from 'entities/escape'
import type { MimePart } from '../mime-part.ts'
import { isHtml, isPlainText, isUnmarked } from './body-parts.ts'
import { unflow } from './body-text.ts'
import { decodeHtml, decodeText } from './charset.ts'
import { htmlToText } from './html-text.ts'
import { MAX_BODY_BYTES } from './parsed-message.ts'

/** The bytes of parts. */
export type Contents = Map<MimePart, Uint8Array<ArrayBuffer>>

/** More than is kept of a body, in UTF-16 units, so that whoever cuts it sees that it was longer. */
const ENOUGH_CHARS = MAX_BODY_BYTES * 2 + 1

/** Null when no part is text; HTML among the parts gives its words. */
export function renderText(parts: readonly MimePart[], contents: Contents): string | null {
  if (!parts.some(isPlainText)) return null
  const texts = parts.map((part) =>
    isPlainText(part) ? plainText(part, contents) : htmlToText(htmlText(part, contents), ENOUGH_CHARS),
  )
  return texts.join('\n') || null
}

/** Null when no part is HTML; text among the parts is shown as it is. */
export function renderHtml(parts: readonly MimePart[], contents: Contents): string | null {
  if (!parts.some(isHtml)) return null
  const texts = parts.map((part) => (isHtml(part) ? htmlText(part, contents) : asHtml(plainText(part, contents))))
  return texts.join('\n') || null
}

function plainText(part: MimePart, contents: Contents): string {
  const { charset, format = '', delsp = '' } = part.parameters
  const text = decodeText(bytesOf(part, contents), charset)
  if (isUnmarked(part)) return text.trim()
  if (format.toLowerCase() !== 'flowed') return text
  return unflow(text, delsp.toLowerCase() === 'yes', ENOUGH_CHARS)
}

function htmlText(part: MimePart, contents: Contents): string {
  return decodeHtml(bytesOf(part, contents), part.parameters.charset)
}

function bytesOf(part: MimePart, contents: Contents): Uint8Array {
  return contents.get(part) ?? new Uint8Array(0)
}

function asHtml(text: string): string {
  return `<pre style="white-space: pre-wrap">${escapeText(text.slice(0, ENOUGH_CHARS))}</pre>`
}
