// What a relay reports of a message that it was given, in whatever form it came. Types alone.
import type { Uuid } from '../../lib/uuid.ts'

/** What became of one recipient, in the reporter's words. */
export interface ReportedRecipient {
  /** Under whichever of these the message knows the recipient; the first that fits counts. */
  addresses: (string | null)[]
  outcome: 'delivered' | 'bounced' | 'failed'
  smtpCode: number | null
  /** RFC 3463. */
  enhancedCode: string | null
  diagnostic: string | null
}

/** Somebody who complained of the message. */
export interface Complainant {
  addresses: string[]
  outcome: 'complained'
}

export interface RelayReport {
  /** One of the two says which message it is about. */
  messageId?: Uuid | undefined
  returnPath?: string | undefined
  recipient: ReportedRecipient | Complainant
}
