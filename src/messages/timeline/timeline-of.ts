// Puts together what is known of a message: its events, the tries that were kept, and where its recipients stand. What an
// event said that is there no more is taken from the others. Pure.
import type { Timestamp } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'
import { parseReply } from '../../mail/smtp/relay-reply.ts'
import type { StoredRecipient } from '../recipients.ts'
import type { TryAnswer } from '../submission-try.ts'
import { itemOfEvent } from './item-of-event.ts'
import type { SendingRequest, TimelineItem, TimelineTry } from './schemas.ts'

export interface KnownMessage {
  direction: 'inbound' | 'outbound'
  /** When it was accepted, or received. */
  createdAt: Timestamp
  isSimulated: boolean
  app: { id: Uuid; name: string | null } | null
  user: { id: Uuid; name: string | null } | null
  request: SendingRequest | null
  sentAt: Timestamp | null
  /** None for a message that was received. */
  recipients: readonly StoredRecipient[]
}

/** As the log has it; what is in `data` is anybody's in a sandbox. */
export interface KnownEvent {
  type: string
  at: Timestamp
  data: Record<string, unknown>
}

export interface KeptTry {
  times: number
  firstAt: Timestamp
  lastAt: Timestamp
  result: string
  answers: TryAnswer[]
  nextAttemptAt: Timestamp | null
}

/** RFC 5321 4.5.3.1.8: so many were in the first transaction at most. */
const RECIPIENTS_PER_TRANSACTION = 100

export function timelineOf(
  message: KnownMessage,
  events: readonly KnownEvent[],
  tries: readonly KeptTry[],
): TimelineItem[] {
  const addressOf = (position: number) => message.recipients[position]?.address ?? ''
  const logged = events.flatMap((event) => itemOfEvent(event) ?? [])
  const sent = logged.find((item) => item.kind === 'sent') ?? sentOf(message)
  const items: TimelineItem[] = [
    beginningOf(message, logged),
    ...tries.map((kept) => tryOf(kept, addressOf)),
    ...firstTryOf(message, sent, tries),
    ...(sent ? [sent] : []),
    ...logged.filter(({ kind }) => kind !== 'sent' && kind !== 'received'),
    ...outcomesBeyond(message, logged),
    ...complaintsOf(message),
  ]
  // Of one moment they stay in the order in which they stand here.
  return items.sort((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)))
}

function beginningOf(message: KnownMessage, logged: readonly TimelineItem[]): TimelineItem {
  const { createdAt: at, app, user, request, isSimulated } = message
  if (message.direction === 'outbound') return { kind: 'accepted', at, app, user, request, isSimulated }
  const received = logged.find((item) => item.kind === 'received')
  return { kind: 'received', at, mailboxIds: received?.mailboxIds ?? [] }
}

function tryOf(
  { times, firstAt, lastAt: at, result, answers, nextAttemptAt }: KeptTry,
  addressOf: (p: number) => string,
) {
  const shown = answers.map(({ positions, outcome, smtpCode, enhancedCode, text }) => {
    return { recipients: positions.map(addressOf), outcome, smtpCode, enhancedCode, text }
  })
  return { kind: 'try' as const, at, firstAt, times, result, nextAttemptAt, answers: shown }
}

function sentOf({ sentAt: at }: KnownMessage): Extract<TimelineItem, { kind: 'sent' }> | undefined {
  return at === null ? undefined : { kind: 'sent', at, relayResponse: null }
}

/**
 * The first try leaves no row where it went through for everybody it was for: what the relay said then is in the event. Not
 * known is it of a message that only a report has proven to be sent.
 */
function firstTryOf(
  { recipients, isSimulated }: KnownMessage,
  sent: Extract<TimelineItem, { kind: 'sent' }> | undefined,
  tries: readonly KeptTry[],
): TimelineTry[] {
  const isKept = tries.some(({ firstAt }) => sent !== undefined && firstAt <= sent.at)
  const reply = parseReply(sent?.relayResponse ?? '')
  if (!sent || isKept || !reply) return []
  const { code: smtpCode, enhancedCode, text } = reply
  const addresses = recipients.slice(0, RECIPIENTS_PER_TRANSACTION).map(({ address }) => address)
  const answers = [{ recipients: addresses, outcome: 'sent' as const, smtpCode, enhancedCode, text }]
  const result = isSimulated ? 'simulated' : 'accepted'
  return [{ kind: 'try', at: sent.at, firstAt: sent.at, times: 1, result, nextAttemptAt: null, answers }]
}

/** Of recipients whose last outcome is in no event that was read. */
function outcomesBeyond({ recipients, createdAt }: KnownMessage, logged: readonly TimelineItem[]): TimelineItem[] {
  const known = new Set(logged.map((item) => ('recipient' in item ? `${item.kind} ${item.recipient}` : '')))
  return recipients.flatMap(({ address, status, smtpCode, enhancedCode, diagnostic, updatedAt }) => {
    if (status === 'queued' || status === 'sent' || known.has(`${status} ${address}`)) return []
    const said = { smtpCode: smtpCode ?? null, enhancedCode: enhancedCode ?? null, text: diagnostic ?? null }
    return [{ kind: status, at: updatedAt ?? createdAt, recipient: address, ...said, bounceType: null }]
  })
}

function complaintsOf({ recipients }: KnownMessage): TimelineItem[] {
  return recipients.flatMap(({ address: recipient, complainedAt: at }) =>
    at === undefined ? [] : [{ kind: 'complained', at, recipient }],
  )
}
