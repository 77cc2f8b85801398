// Reads delivery status notifications (RFC 3464, RFC 6533): what a relay says became of each recipient. Pure; knows
// nothing of the messages we sent nor of what is done about it.
import { storableText } from '../parse/body-text.ts'
import { enhancedCodeIn } from '../smtp/smtp-reply.ts'
import { codesOf, cutDiagnostic } from './diagnostic.ts'
import { readAddress, withoutType } from './reported-address.ts'

/** RFC 3464 2.3.3. */
const REPORT_ACTIONS = ['failed', 'delayed', 'delivered', 'relayed', 'expanded'] as const
export type ReportAction = (typeof REPORT_ACTIONS)[number]

/** The outcome of one recipient in a report's words. */
export interface RecipientReport {
  /** The address that was tried last, after aliases and forwarding; without type and angle brackets. */
  finalRecipient: string | null
  /** The address we gave, where the reporter still knew it. */
  originalRecipient: string | null
  action: ReportAction
  /** Enhanced status code (RFC 3463) of the Status field. */
  status: string | null
  /** The Diagnostic-Code field without its type, on one line. */
  diagnosticCode: string | null
  /** From the diagnostic. */
  smtpCode: number | null
  /** The most exact enhanced status code: the diagnostic's of the same class, otherwise Status. */
  enhancedCode: string | null
  remoteMta: string | null
  /** ISO 8601 instant. */
  willRetryUntil: string | null
}

export interface DeliveryReport {
  /** The ENVID we gave at submission, where the reporter returns it. */
  envelopeId: string | null
  reportingMta: string | null
  recipients: RecipientReport[]
}

/** The media types of a report's fields. */
export const DELIVERY_STATUS_TYPES = [
  'message/delivery-status',
  'message/global-delivery-status',
  // XWall.
  'message/xdelivery-status',
]

/** No message of ours has more recipients: 50 in each of to, cc and bcc. specification.md#limits-of-a-message */
export const MAX_REPORTED_RECIPIENTS = 150
const MAX_REPORT_BYTES = 1_048_576
/** Dozens for each recipient. */
const MAX_REPORT_LINES = 10_000
const MAX_FIELD_CHARS = 4_000

/**
 * Reads the content of a part of one of DELIVERY_STATUS_TYPES. Null when it reports no recipient's outcome.
 */
export function readDeliveryStatus(content: Uint8Array): DeliveryReport | null {
  return readStatusFields(storableText(new TextDecoder().decode(content.subarray(0, MAX_REPORT_BYTES))))
}

/** The same of its text. */
export function readStatusFields(text: string): DeliveryReport | null {
  const groups = readGroups(text)
  const ofMessage = (name: string) => groups.find((group) => group.has(name))?.get(name) || null
  const recipients = groups.flatMap((group) => readRecipient(group) ?? []).slice(0, MAX_REPORTED_RECIPIENTS)
  if (recipients.length === 0) return null
  return {
    envelopeId: ofMessage('original-envelope-id'),
    reportingMta: untyped(ofMessage('reporting-mta')),
    recipients,
  }
}

type Fields = Map<string, string>

/** Fields of which a recipient has one each. */
const PER_RECIPIENT = new Set(['final-recipient', 'original-recipient', 'action', 'status'])

/**
 * Fields by lower-case name, group by group. Dialects differ in case, in order, and in where they leave empty
 * lines: a group begins behind an empty line, and at a field of PER_RECIPIENT that the group has already.
 */
function readGroups(text: string): Fields[] {
  const groups: Fields[] = [new Map()]
  let last = ''
  for (const line of text.split(/\r?\n/, MAX_REPORT_LINES)) {
    const group = groups.at(-1) as Fields
    const [, name, value] = /^([!-9;-~]+)[ \t]*:(.*)$/.exec(line) ?? []
    if (line.trim() === '') {
      if (group.size > 0) groups.push(new Map())
      last = ''
    } else if (/^[ \t]/.test(line)) {
      const before = group.get(last)
      if (before !== undefined && before.length < MAX_FIELD_CHARS) group.set(last, cut(`${before} ${line.trim()}`))
    } else if (name !== undefined && value !== undefined) {
      last = name.toLowerCase()
      if (!group.has(last)) group.set(last, cut(value.trim()))
      else if (PER_RECIPIENT.has(last)) groups.push(new Map([[last, cut(value.trim())]]))
      else last = ''
    }
  }
  return groups
}

/** Copies only what is too long: a field may come in a thousand lines. */
function cut(value: string): string {
  return value.length <= MAX_FIELD_CHARS ? value : value.slice(0, MAX_FIELD_CHARS).toWellFormed()
}

function readRecipient(fields: Fields): RecipientReport | null {
  const [word = ''] = /[a-z]+/i.exec(fields.get('action') ?? '') ?? []
  const action = REPORT_ACTIONS.find((known) => known === word.toLowerCase().replace(/^failure$/, 'failed'))
  const finalRecipient = readAddress(fields.get('final-recipient') ?? '')
  const originalRecipient = readAddress(fields.get('original-recipient') ?? '')
  if (!action || (finalRecipient === null && originalRecipient === null)) return null

  const status = enhancedCodeIn(fields.get('status') ?? '')
  const words = withoutType(fields.get('diagnostic-code') ?? '')
  return {
    finalRecipient,
    originalRecipient,
    action,
    status,
    diagnosticCode: cutDiagnostic(words),
    ...codesOf(status, words),
    remoteMta: untyped(fields.get('remote-mta') ?? null),
    willRetryUntil: instantOf(fields.get('will-retry-until') ?? ''),
  }
}

function untyped(field: string | null): string | null {
  return field === null ? null : withoutType(field)
}

function instantOf(value: string): string | null {
  const date = new Date(value.replace(/\([^()]*\)\s*$/, ''))
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}
