// The recipients of a sent message, as its state keeps them: a list in which a recipient's position is its place. Pure.
import { laterBy } from '../lib/instant.ts'
import type { Timestamp } from '../lib/sql.ts'
import { canonicalAddress } from '../mail/mail-address.ts'
import type { RecipientNow, RecipientOutcome, RecipientReply } from './decide-outcome.ts'
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
  /** How often it was tried to submit the message for this recipient. */
  attempts?: number
  /** While it waits: when it is tried again at the latest. */
  nextAttemptAt?: Timestamp
  updatedAt?: Timestamp
  /** When a complaint of the recipient's came. It is no outcome. */
  complainedAt?: Timestamp
}

/** An attempt to submit a message. */
export interface SubmissionAttempt {
  /** Whom it was for. */
  positions: readonly number[]
  /** Those of them that are tried again, each with what was said of it. */
  deferrals: readonly RecipientReply[]
  nextAttemptInMs: number
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
    const { nextAttemptAt: _over, ...before } = recipient
    const { status, smtpCode, enhancedCode, diagnostic } = outcome
    return { ...before, status, smtpCode, enhancedCode, diagnostic, updatedAt: at }
  })
}

/** The same after an attempt at a moment: each it was for has one more, and those still open wait for the next. */
export function withAttempt(
  recipients: readonly StoredRecipient[],
  attempt: SubmissionAttempt,
  at: Timestamp,
): StoredRecipient[] {
  const tried = new Set(attempt.positions)
  const deferrals = new Map(attempt.deferrals.map((deferral) => [deferral.position, deferral]))
  return recipients.map((recipient, position) => {
    if (!tried.has(position)) return recipient
    const attempts = (recipient.attempts ?? 0) + 1
    const deferral = deferrals.get(position)
    if (!deferral || recipient.status !== 'queued') return { ...recipient, attempts }
    const { smtpCode, enhancedCode, diagnostic } = deferral
    const nextAttemptAt = laterBy(attempt.nextAttemptInMs, at)
    return { ...recipient, smtpCode, enhancedCode, diagnostic, attempts, nextAttemptAt, updatedAt: at }
  })
}

/** The same with a complaint of some of them, which came at a moment. The first of a recipient stands. */
export const withComplaints = (
  recipients: readonly StoredRecipient[],
  positions: ReadonlySet<number>,
  at: Timestamp,
): StoredRecipient[] =>
  recipients.map((recipient, position) =>
    positions.has(position) && recipient.complainedAt === undefined
      ? { ...recipient, complainedAt: at, updatedAt: at }
      : recipient,
  )

/**
 * The case of a local part counts where it tells two recipients apart; else a reporter may have changed it. The only
 * recipient of a message is meant by whatever address a forwarder has made of it.
 */
export function positionsIn(
  recipients: readonly StoredRecipient[],
): (addresses: readonly (string | null)[]) => number | undefined {
  const exact = new Map(recipients.map(({ address }, position) => [canonicalAddress(address), position]))
  const inLowerCase = new Map([...exact].map(([address, position]) => [address.toLowerCase(), position]))
  const only = recipients.length === 1 ? 0 : undefined
  return (addresses) => {
    for (const given of addresses) {
      const address = canonicalAddress(given ?? '')
      const position = exact.get(address) ?? inLowerCase.get(address.toLowerCase())
      if (position !== undefined) return position
    }
    return only
  }
}

/** As the API shows them. Nothing has changed since `createdAt` where nothing is known yet. */
export const shownRecipients = (
  recipients: readonly StoredRecipient[],
  createdAt: Timestamp,
): MessageDetail['recipients'] =>
  recipients.map(
    ({
      address,
      kind,
      status,
      smtpCode,
      enhancedCode,
      diagnostic,
      attempts,
      nextAttemptAt,
      complainedAt,
      updatedAt,
    }) => ({
      address,
      kind,
      status,
      smtpCode: smtpCode ?? null,
      enhancedCode: enhancedCode ?? null,
      diagnostic: diagnostic ?? null,
      attempts: attempts ?? 0,
      nextAttemptAt: nextAttemptAt ?? null,
      complainedAt: complainedAt ?? null,
      updatedAt: updatedAt ?? createdAt,
    }),
  )
