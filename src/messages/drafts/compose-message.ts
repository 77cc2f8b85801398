// The message that a draft becomes: whom it is to, its HTML and its text, and what is wrong with it. Pure.
// specification.md#drafts
import type { FieldFault } from '../../access/problem.ts'
import { isEmailAddress } from '../../lib/formats.ts'
import { htmlToText } from '../../mail/parse/html-text.ts'
import { MAX_HTML_CHARACTERS, MAX_TEXT_CHARACTERS } from '../schemas.ts'
import type { WrittenMail } from './draft.ts'

export interface Composed {
  text: string
  html: string | null
}

/** What is quoted comes behind what was written, in both. */
export function composeMessage({ format, body, quote }: Pick<WrittenMail, 'format' | 'body' | 'quote'>): Composed {
  if (format === 'text') return { text: withQuote(body, quote), html: null }
  const written = htmlToText(body, MAX_TEXT_CHARACTERS)
  return { text: beginningOf(withQuote(written, quote)), html: quote ? body + quoteHtml(quote) : body }
}

/** A line that is a quote already gets no blank (RFC 3676 §4.5). */
function withQuote(written: string, quote: WrittenMail['quote']): string {
  if (!quote) return written
  const lines = htmlToText(quote.html, MAX_TEXT_CHARACTERS)
    .split('\n')
    .map((line) => (line === '' || line.startsWith('>') ? `>${line}` : `> ${line}`))
  return [written, '', ...(quote.attribution === '' ? [] : [quote.attribution]), ...lines].join('\n')
}

function quoteHtml({ html, attribution }: NonNullable<WrittenMail['quote']>): string {
  const line = attribution === '' ? '' : `<p>${escaped(attribution)}</p>`
  return `<div class="quote">${line}<blockquote type="cite">${html}</blockquote></div>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** The HTML beside it has all of it. */
function beginningOf(text: string): string {
  if (text.length <= MAX_TEXT_CHARACTERS) return text
  return text.slice(0, MAX_TEXT_CHARACTERS).replace(/[\uD800-\uDBFF]$/, '')
}

/** What keeps it from being sent, as of a send of the API. */
export function faultsOfDraft(draft: WrittenMail): FieldFault[] {
  const { text, html } = composeMessage(draft)
  const isTooLong = html === null ? isLonger(text, MAX_TEXT_CHARACTERS) : isLonger(html, MAX_HTML_CHARACTERS)
  const most = html === null ? MAX_TEXT_CHARACTERS : MAX_HTML_CHARACTERS
  const words = `with what it quotes, must have at most ${most.toLocaleString('en')} characters`
  return [
    ...(draft.to.length === 0 ? [{ path: 'to', code: 'too_few' as const, message: 'must name somebody' }] : []),
    ...(['to', 'cc', 'bcc'] as const).flatMap((field) =>
      draft[field].flatMap(({ address }, i): FieldFault[] =>
        isEmailAddress(address)
          ? []
          : [{ path: `${field}[${i}]`, code: 'invalid_email', message: 'must be an email address: name@example.com' }],
      ),
    ),
    ...(isTooLong ? [{ path: 'body', code: 'too_long' as const, message: words }] : []),
  ]
}

/** By characters, not by UTF-16 units, as JSON Schema counts. */
function isLonger(text: string, most: number): boolean {
  if (text.length <= most) return false
  let pairs = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit >= 0xd800 && unit <= 0xdbff) pairs += 1
  }
  return text.length - pairs > most
}
