// The recipients of a sent message, as its state keeps them: a list in which a recipient's position is its place. Pure.
import type { Timestamp } from '../lib/sql.ts'
import type { RecipientNow, RecipientOutcome } from './decide-outcome.ts'
import type { MessageDetail } from './schemas.ts'
import type { RecipientStatus } from './status.ts'

/** What is not known yet is absent. */
export interface StoredRecipient {
  address: string
  kind: 'to' | 'cc' | 'bcc'
  status: RecipientStatus
  smtpCode?: number | null
  /** Enhanced status code (RFC 3463). */
  enhancedCode?: string | null
  diagnostic?: string | null
  updatedAt?: Timestamp
}

export const recipientsNow = (recipients: readonly StoredRecipient[]): RecipientNow[] =>
  recipients.map(({ address, status }, position) => ({ position, address, status }))

/** Those nothing is known of yet. */
export const openRecipients = (recipients: readonly StoredRecipient[]): RecipientNow[] =>
  recipientsNow(recipients).filter(({ status }) => status === 'queued')

/** The same with what became of some of them at a moment. The last outcome of a recipient stands. */
export function withOutcomes(
  recipients: readonly StoredRecipient[],
  moved: readonly RecipientOutcome[],
  at: Timestamp,
): StoredRecipient[] {
  const outcomes = new Map(moved.map((outcome) => [outcome.position, outcome]))
  return recipients.map((recipient, position) => {
    const outcome = outcomes.get(position)
    if (!outcome) return recipient
    const { status, smtpCode, enhancedCode, diagnostic } = outcome
    return { ...recipient, status, smtpCode, enhancedCode, diagnostic, updatedAt: at }
  })
}

/** As the API shows them. Nothing has changed since `createdAt` where nothing is known yet. */
export const shownRecipients = (
  recipients: readonly StoredRecipient[],
  createdAt: Timestamp,
): MessageDetail['recipients'] =>
  recipients.map(({ address, kind, status, smtpCode, enhancedCode, diagnostic, updatedAt }) => ({
    address,
    kind,
    status,
    smtpCode: smtpCode ?? null,
    enhancedCode: enhancedCode ?? null,
    diagnostic: diagnostic ?? null,
    updatedAt: updatedAt ?? createdAt,
  }))
