// Reads delivery status notifications (RFC 3464, RFC 6533): what a relay says became of each recipient. Pure; knows
// nothing of the messages we sent nor of what is done about it.
import { storableText } from '../parse/body-text.ts'
import { enhancedCodeIn, readReply } from '../smtp/smtp-reply.ts'

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
  /** From an `smtp` diagnostic. */
  smtpCode: number | null
  /** The most exact enhanced status code: the diagnostic's when Status says only `x.0.0`, otherwise Status. */
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
export const DELIVERY_STATUS_TYPES = ['message/delivery-status', 'message/global-delivery-status']

/** No message of ours has more recipients: 50 in each of to, cc and bcc. specification.md#limits-of-a-message */
export const MAX_REPORTED_RECIPIENTS = 150
/** RFC 5321 4.5.3.1: 64 octets, an at sign, 255 octets. */
const MAX_ADDRESS_CHARS = 320
const MAX_DIAGNOSTIC_CHARS = 1_000
const MAX_REPORT_BYTES = 1_048_576
/** Dozens for each recipient. */
const MAX_REPORT_LINES = 10_000
const MAX_FIELD_CHARS = 4_000

/**
 * Reads the content of a part of one of DELIVERY_STATUS_TYPES. Null when it reports no recipient's outcome.
 */
export function readDeliveryStatus(content: Uint8Array): DeliveryReport | null {
  const groups = readGroups(storableText(new TextDecoder().decode(content.subarray(0, MAX_REPORT_BYTES))))
  const ofMessage = (name: string) => groups.find((group) => group.has(name))?.get(name) || null
  const recipients = groups.flatMap((group) => readRecipient(group) ?? []).slice(0, MAX_REPORTED_RECIPIENTS)
  if (recipients.length === 0) return null
  return {
    envelopeId: ofMessage('original-envelope-id'),
    reportingMta: withoutType(ofMessage('reporting-mta')),
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
  const action = REPORT_ACTIONS.find(
    (known) =>
      known ===
      fields
        .get('action')
        ?.match(/[a-z]+/i)?.[0]
        .toLowerCase(),
  )
  const finalRecipient = addressOf(fields.get('final-recipient') ?? '')
  const originalRecipient = addressOf(fields.get('original-recipient') ?? '')
  if (!action || (finalRecipient === null && originalRecipient === null)) return null

  const status = enhancedCodeIn(fields.get('status') ?? '')
  const diagnostic = fields.get('diagnostic-code') ?? ''
  const words = withoutType(diagnostic) ?? ''
  const reply = /^\s*smtp\s*;/i.test(diagnostic) ? readReply(words) : { smtpCode: null, enhancedCode: null }
  return {
    finalRecipient,
    originalRecipient,
    action,
    status,
    diagnosticCode: cutDiagnostic(words),
    smtpCode: reply.smtpCode,
    enhancedCode: moreExact(status, reply.enhancedCode),
    remoteMta: withoutType(fields.get('remote-mta') ?? null),
    willRetryUntil: instantOf(fields.get('will-retry-until') ?? ''),
  }
}

/** A diagnostic as we keep it, whoever wrote it. */
export function cutDiagnostic(words: string): string | null {
  return storableText(words.slice(0, MAX_DIAGNOSTIC_CHARS)) || null
}

/** `rfc822; <a@b>`: type and address. RFC 6533 3: what ASCII lacks may be written `\x{EB}`. */
function addressOf(value: string): string | null {
  const address = (withoutType(value) ?? '')
    .replace(/^<(.*)>$/, '$1')
    .replace(/\\x\{([0-9a-f]{1,6})\}/gi, (_, hex) => characterOf(Number.parseInt(hex, 16)))
    .trim()
  return isAddress(address) ? address : null
}

/** What is longer than any address is nobody's. */
export function isAddress(text: string): boolean {
  return text.includes('@') && text.length <= MAX_ADDRESS_CHARS
}

function characterOf(codePoint: number): string {
  const isCharacter = codePoint > 0 && codePoint <= 0x10ffff && !(codePoint >= 0xd800 && codePoint <= 0xdfff)
  return isCharacter ? String.fromCodePoint(codePoint) : '\uFFFD'
}

/** RFC 3464 2.1.2: many fields begin with a type, as in `dns; mx.example.org`; some dialects leave it out. */
function withoutType(value: string | null): string | null {
  return value === null ? null : value.replace(/^\s*[a-z0-9-]+\s*;/i, '').trim()
}

/** Exim says `5.0.0` whatever the remote host said. A code of another class is about something else. */
function moreExact(status: string | null, spoken: string | null): string | null {
  if (status === null || (status.endsWith('.0.0') && spoken?.[0] === status[0])) return spoken ?? status
  return status
}

function instantOf(value: string): string | null {
  const date = new Date(value.replace(/\([^()]*\)\s*$/, ''))
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}
