// What Amazon SES reports of a message's recipients. Pure.
// https://docs.aws.amazon.com/ses/latest/dg/notification-contents.html
import type { Uuid } from '../../lib/uuid.ts'
import { enhancedCodeIn } from '../smtp/smtp-reply.ts'
import { cutDiagnostic } from './diagnostic.ts'
import type { Complainant, RelayReport, ReportedRecipient } from './relay-report.ts'

interface Notification {
  /** Of notifications; events of a configuration set have eventType. */
  notificationType?: string
  eventType?: string
  mail?: { source?: string; destination?: string[]; headers?: { name: string; value: string }[] }
  bounce?: {
    bounceType?: string
    bouncedRecipients?: { emailAddress: string; status?: string; diagnosticCode?: string }[]
  }
  delivery?: { recipients?: string[]; smtpResponse?: string }
  reject?: { reason?: string }
  complaint?: { complainedRecipients?: { emailAddress: string }[] }
}

/** Empty when it says nothing of any recipient that we keep: delays, opens and clicks. */
export function readSesNotification(
  text: string,
  returnPath: (address: string) => { messageId: Uuid } | undefined,
): RelayReport[] {
  const notification = parse(text)
  const messageId = notification && messageIdOf(notification, returnPath)
  if (!messageId) return []
  return recipientsOf(notification).map((recipient) => ({ messageId, recipient }))
}

function parse(text: string): Notification | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

/** By the return path; SES may put one of its own in its place, and then still shows the fields we wrote. */
function messageIdOf({ mail }: Notification, returnPath: Parameters<typeof readSesNotification>[1]): Uuid | undefined {
  const signed = typeof mail?.source === 'string' ? returnPath(mail.source) : undefined
  if (signed) return signed.messageId
  const header = objects(mail?.headers).find(({ name }) => String(name).toLowerCase() === 'message-id')?.value
  return /^<([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@/i.exec(String(header ?? ''))?.[1]
}

function recipientsOf(notification: Notification): (ReportedRecipient | Complainant)[] {
  const { mail, bounce, delivery, reject, complaint } = notification
  switch (notification.notificationType ?? notification.eventType) {
    case 'Delivery':
      return texts(delivery?.recipients).map((address) => ({
        addresses: [address],
        outcome: 'delivered',
        ...repliesIn(delivery?.smtpResponse),
      }))
    case 'Bounce':
      return objects(bounce?.bouncedRecipients).map(({ emailAddress, status, diagnosticCode }) => {
        const words = repliesIn(diagnosticCode)
        const enhancedCode = words.enhancedCode ?? enhancedCodeIn(String(status ?? ''))
        const transient = enhancedCode?.startsWith('4.') ?? bounce?.bounceType === 'Transient'
        const outcome = transient ? 'failed' : 'bounced'
        return { addresses: [String(emailAddress)], outcome, ...words, enhancedCode }
      })
    case 'Reject':
      return texts(mail?.destination).map((address) => ({
        addresses: [address],
        outcome: 'failed',
        smtpCode: null,
        enhancedCode: null,
        diagnostic: cutDiagnostic(`refused by Amazon SES: ${String(reject?.reason ?? 'no reason given')}`),
      }))
    case 'Complaint': {
      // Most providers hide who complained; then Amazon lists all who may have.
      const [first, ...others] = objects(complaint?.complainedRecipients)
      return first && others.length === 0 ? [{ addresses: [String(first.emailAddress)], outcome: 'complained' }] : []
    }
    default:
      return []
  }
}

function repliesIn(text: unknown): Pick<ReportedRecipient, 'smtpCode' | 'enhancedCode' | 'diagnostic'> {
  if (typeof text !== 'string' || text === '') return { smtpCode: null, enhancedCode: null, diagnostic: null }
  const words = text.replace(/^smtp;\s*/i, '')
  const smtpCode = Number(/^([245]\d\d)\b/.exec(words)?.[1] ?? Number.NaN)
  const enhancedCode = /\b([245]\.\d{1,3}\.\d{1,3})\b/.exec(words)?.[1] ?? null
  return { smtpCode: Number.isNaN(smtpCode) ? null : smtpCode, enhancedCode, diagnostic: cutDiagnostic(words) }
}

function objects<T extends object>(value: readonly T[] | undefined): readonly T[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'object' && item !== null) : []
}

function texts(value: readonly string[] | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
