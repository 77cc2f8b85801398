// What the words of a failure say of its reason, by the codes within them. Pure.
import { storableText } from '../parse/body-text.ts'
import { type ReplyCodes, readReply } from '../smtp/smtp-reply.ts'

const MAX_DIAGNOSTIC_CHARS = 1_000

/** A diagnostic as we keep it, whoever wrote it. */
export function cutDiagnostic(words: string): string | null {
  return storableText(words.slice(0, MAX_DIAGNOSTIC_CHARS)) || null
}

/**
 * The codes of a failure whose report has a status (RFC 3463) of its own beside the diagnostic's words. Where both have
 * a code of the same class, the words' counts: they are the remote host's, while many relays write `5.0.0` or `5.1.1`
 * whatever it said. A code of another class is about something else, except beside `5.1.1`, for which senders give an
 * address up.
 */
export function codesOf(status: string | null, words: string): ReplyCodes {
  const reply = readReply(words)
  const spoken = reply.enhancedCode ?? (status === UNKNOWN_USER ? contradictionOf(reply, words) : null)
  const counts =
    spoken !== null &&
    !(status !== null && spoken.endsWith('.0.0')) &&
    (status === null || status === UNKNOWN_USER || spoken[0] === status[0])
  return { smtpCode: reply.smtpCode, enhancedCode: counts ? spoken : status }
}

/** RFC 3463 X.1.1: bad destination mailbox address. */
const UNKNOWN_USER = '5.1.1'

/** Words that cannot be about an address that does not exist, and the code for what they say (RFC 3463). */
const CONTRADICTIONS: readonly [RegExp, string][] = [
  [/\b(?:mailbox|inbox|quota|storage)\b.{0,40}\b(?:full|exceed(?:s|ed)?)\b|\bover ?quota\b/i, '5.2.2'],
  [/\bexceed(?:s|ed)?\b.{0,40}\b(?:quota|storage)\b/i, '5.2.2'],
  [/\b(?:black|block|deny)[- ]?list|\bspamhaus\b|\bspamcop\b|\b(?:dns)?[br]bl\b|\breputation\b|\bspam\b/i, '5.7.1'],
]

/** Words of an address that does not exist, whatever else they say. */
const SAYS_UNKNOWN =
  /\b(?:user|recipient|mailbox|address|account)\b.{0,30}\b(?:unknown|disabled|not (?:exist|found|known))\b|\b(?:unknown|no such|invalid) (?:user|recipient|mailbox|address|account|local)/i

function contradictionOf({ smtpCode }: ReplyCodes, words: string): string | null {
  if (SAYS_UNKNOWN.test(words)) return null
  // RFC 5321 4.2.3: exceeded storage allocation.
  if (smtpCode === 552) return '5.2.2'
  return CONTRADICTIONS.find(([pattern]) => pattern.test(words))?.[1] ?? null
}
