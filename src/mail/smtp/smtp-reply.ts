// The codes within what mail servers say: SMTP replies (RFC 5321 4.2) and enhanced status codes (RFC 3463). Pure.

/** Class, subject, detail; not within a longer run of numbers, such as an address. */
const ENHANCED_CODE = /(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?!\.?\d)/

/** The first enhanced status code in a text. */
export function enhancedCodeIn(text: string): string | null {
  return ENHANCED_CODE.exec(text)?.[0] ?? null
}

export interface ReplyCodes {
  smtpCode: number | null
  enhancedCode: string | null
}

/**
 * A reply at the beginning of a text or, where a reporter quotes it, behind a colon, semicolon or quotation mark, or
 * behind IronPort's words, as in `5.1.0 - Unknown address error 550-'5.1.1 …'`. Google says the code twice, and Yahoo has
 * a colon behind it.
 */
const REPLY =
  /(?:^|[:;'"]\s*|^[245]\.\d{1,3}\.\d{1,3} - [\w ()]{1,80} )([245]\d\d)(?: \1)?(?=[ -]|:\s|$)(?::?[ -]\s*['"]?#?([245]\.\d{1,3}\.\d{1,3})\b)?/

/** A reporter's own code before its words. */
const LEADING_CODE = /^[245]\.\d{1,3}\.\d{1,3}(?=[ ,;]|$)/

/** The first reply in a text, and its code or else the reporter's; nulls when there is none. */
export function readReply(text: string): ReplyCodes {
  const match = REPLY.exec(text)
  return {
    smtpCode: match ? Number(match[1]) : null,
    enhancedCode: match?.[2] ?? LEADING_CODE.exec(text)?.[0] ?? null,
  }
}
