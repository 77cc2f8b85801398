// What the forms of bounces in plain text have in common: each reads one writer's fixed words, and gives whom they
// name. Pure.
import type { ParsedMessage } from '../../parse/parsed-message.ts'
import { enhancedCodeIn, type ReplyCodes, readReply } from '../../smtp/smtp-reply.ts'
import type { RecipientReport } from '../delivery-report.ts'
import { cutDiagnostic } from '../diagnostic.ts'

/** `text`: the beginning of the message's text, without the empty lines before. */
export type TextBounce = Pick<ParsedMessage, 'headers' | 'from' | 'subject'> & { text: string }

/** Gives the recipients that a message in this form names; none when it is in another form. */
export type Form = (message: TextBounce) => RecipientReport[]

const MAX_REASON_CHARS = 4_000

/** The report of one recipient, from the lines that say why. `codes`: where the form has them in fields of its own. */
export function failure(
  address: string,
  reason: readonly string[],
  { action = 'failed', codes }: { action?: 'failed' | 'delayed'; codes?: ReplyCodes } = {},
): RecipientReport {
  const words = reason.join('\n').slice(0, MAX_REASON_CHARS)
  const line = words.replace(/\s+/g, ' ').trim()
  const { smtpCode, enhancedCode } = codes ?? codesIn(words, line)
  return {
    finalRecipient: address,
    originalRecipient: null,
    action,
    status: enhancedCode,
    diagnosticCode: cutDiagnostic(line),
    smtpCode,
    enhancedCode,
    remoteMta: null,
    willRetryUntil: null,
  }
}

/** Recipients and their reasons, from lines of which some name a recipient and those beneath say why. */
export function failures(
  lines: readonly string[],
  addressIn: (line: string) => string | undefined,
): { address: string; reason: string[] }[] {
  const named: { address: string; reason: string[] }[] = []
  for (const line of lines) {
    const address = addressIn(line)
    if (address !== undefined) named.push({ address, reason: [] })
    else named.at(-1)?.reason.push(line)
  }
  return named
}

/** What a bounce says of a message that it gave up after days, in words instead of a code. */
const GAVE_UP = /\b(?:retry timeout exceeded|envelope expired|could not deliver for the last \d+ seconds)\b/i

function codesIn(words: string, line: string): ReplyCodes {
  const { smtpCode, enhancedCode } = readReply(line)
  return {
    smtpCode,
    enhancedCode:
      enhancedCode ??
      // qmail appends its own code: `Sorry, no mailbox here by that name. (#5.1.1)`.
      enhancedCodeIn(/\(#([\d.]+)\)/.exec(line)?.[1] ?? '') ??
      /^[ \t]*([245]\.\d{1,3}\.\d{1,3})(?= |$)/m.exec(words)?.[1] ??
      // RFC 3463 X.4.7: delivery time expired.
      (smtpCode === null && GAVE_UP.test(line) ? '4.4.7' : null),
  }
}
