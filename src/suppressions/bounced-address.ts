// An address that bounced, complained or is stopped, as it is read and as it is told.
import type { Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import type { SuppressionReason } from './tenant-stops.ts'

export interface BouncedAddress {
  address: string
  bounces: number
  complaints: number
  /** Of bounces and complaints; null where there was none. */
  firstAt: Timestamp | null
  lastAt: Timestamp | null
  last: {
    kind: 'bounced' | 'complained'
    messageId: Uuid
    smtpCode: number | null
    enhancedCode: string | null
    diagnostic: string | null
  } | null
  /** Null while mail goes to it. */
  stopped: {
    id: Uuid
    at: Timestamp
    reason: SuppressionReason
    /** A person's name is what they call themselves, or else their address; null when there is no such person any more. */
    by: { kind: 'person' | 'operator'; name: string | null } | null
    messageId: Uuid | null
    note: string | null
  } | null
}

export interface AddressRow {
  /** Where it stands in its list. */
  placeAt: Timestamp
  placeId: Uuid
  address: string
  bounces: number | null
  complaints: number | null
  firstAt: Timestamp | null
  lastAt: Timestamp | null
  lastKind: 'bounced' | 'complained' | null
  lastMessageId: Uuid | null
  smtpCode: number | null
  enhancedCode: string | null
  diagnostic: string | null
  stopId: Uuid | null
  stoppedAt: Timestamp | null
  reason: SuppressionReason | null
  byKind: 'person' | 'operator' | null
  byName: string | null
  stoppedFor: Uuid | null
  note: string | null
}

export function shownAddress(row: AddressRow): BouncedAddress {
  const { address, bounces, complaints, firstAt, lastAt, lastKind, lastMessageId, smtpCode, enhancedCode, diagnostic } =
    row
  const { stopId, stoppedAt, reason, byKind, byName, stoppedFor, note } = row
  return {
    ...{ address, bounces: bounces ?? 0, complaints: complaints ?? 0, firstAt, lastAt },
    last:
      lastKind && lastMessageId
        ? { kind: lastKind, messageId: lastMessageId, smtpCode, enhancedCode, diagnostic }
        : null,
    stopped:
      stopId && stoppedAt && reason
        ? {
            id: stopId,
            at: stoppedAt,
            reason,
            by: byKind && { kind: byKind, name: byName },
            messageId: stoppedFor,
            note,
          }
        : null,
  }
}
