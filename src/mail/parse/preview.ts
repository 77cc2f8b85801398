// The first words of a message, for lists: of one that is sent and of one that came in. Pure.
import { htmlWords } from './html-text.ts'
import { MAX_PREVIEW_CHARS } from './parsed-message.ts'

/**
 * The first words of a message on one line, 200 UTF-16 units at most: of its text, or of its HTML without tags where
 * there is no text. Of well-formed input comes what PostgreSQL can store.
 */
export function makePreview(text: string | null | undefined, html: string | null | undefined): string {
  const words =
    oneLine((text ?? '').slice(0, PREVIEW_SOURCE_CHARS)) || oneLine(htmlWords(html ?? '', PREVIEW_SOURCE_CHARS))
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
