// The enhanced status code (RFC 3463) for a reason that is told in words alone. Pure.

/** Behind them come advice, and the causes there may be. */
const MAX_REASON_CHARS = 400

const UNKNOWN =
  /\b(?:unknown|no such|invalid) (?:user|mailbox|recipient|account|final delivery userid)\b|\b(?:user|addressee|recipient) unknown\b|\bnot a valid user\b|\b(?:user|mailbox|account|address|recipient)\b.{0,20}\b(?:does(?: not|n't) exist|not found|not known)\b|\b(?:no mailbox here by that name|recipient name is not recognized)\b/i

const FULL =
  /\b(?:mailbox|inbox|mailfolder)\b.{0,20}\b(?:full|exceed(?:s|ed)?|over)\b|\bquota\b.{0,20}\b(?:exceed(?:s|ed)?|violation)\b|\b(?:exceed(?:s|ed|ing)?|over)\b.{0,20}\bquota\b/i

const HEDGE = /\b(?:may|might|maybe|perhaps|possibl[ey]|if|either)\b/i

/** Null where the words are unclear, and beside a reply that is not permanent. */
export function codeOfWords(reason: string, smtpCode: number | null): string | null {
  const words = reason.slice(0, MAX_REASON_CHARS).replace(/\s+/g, ' ')
  if ((smtpCode !== null && smtpCode < 500) || HEDGE.test(words)) return null
  const isUnknown = UNKNOWN.test(words)
  const isFull = FULL.test(words)
  if (isUnknown === isFull) return null
  return isUnknown ? '5.1.1' : '5.2.2'
}
