// What is kept of an answer that a receiver gave instead of accepting: its beginning, where it is text.
import type { Outcome, ReceivedAnswer } from '../lib/public-fetch/exchange.ts'

/** Octets of the body. specification.md#attempts-of-a-delivery */
export const ANSWER_KEPT_BYTES = 1_000

/** Types whose octets people read. Without one, as many simple servers answer, it is taken for text. */
const TEXT_TYPES = /^(text\/|application\/([^;]+\+)?(json|xml|x-www-form-urlencoded)\b)/i

/** Control characters but tab and line feed: the database holds no NUL, and the others are nothing to read. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is about them.
const CONTROLS = /[\0-\x08\x0b-\x1f\x7f-\x9f]/g

/** As valid UTF-8, what is none replaced. Null without an answer, without a body, and where it is no text. */
export function answerText(outcome: Outcome): string | null {
  if (!('body' in outcome) || outcome.body.length === 0) return null
  if (!TEXT_TYPES.test(header(outcome, 'content-type', 'text/plain'))) return null
  if (header(outcome, 'content-encoding', 'identity').toLowerCase() !== 'identity') return null
  const kept = outcome.body.subarray(0, ANSWER_KEPT_BYTES)
  // A character that is cut in two is left out.
  const text = new TextDecoder().decode(kept, { stream: outcome.isCut || kept.length < outcome.body.length })
  return text.replace(CONTROLS, '') || null
}

/** A stranger may send it twice. */
function header({ headers }: ReceivedAnswer, name: string, absent: string): string {
  return String(headers[name] ?? absent).trim()
}
